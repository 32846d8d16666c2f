import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { inTrace, recordSpans } from '#kernel';

import { Metrics } from './metrics.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const recorded = `00-${TRACE}-00f067aa0ba902b7-01`;
const OPEN = 'application/openmetrics-text';

let metrics: Metrics;

const observe = (seconds: number): void => metrics.requests.observe({ method: 'GET', route: '/x', status: 200 }, seconds);
const bucket = (le: string): string => `http_request_duration_seconds_bucket{le="${le}",method="GET",route="/x",status="200"}`;
const lines = async (accept: string): Promise<readonly string[]> => (await metrics.shown(accept)).text.split('\n');

beforeEach(() => {
  metrics = new Metrics();
  recordSpans({ begin: () => ({ traceparent: recorded, set: () => undefined, end: () => undefined }) });
});
afterEach(() => recordSpans(undefined));

describe('the metrics', () => {
  it('show the recorded trace of an observation as the exemplar of its bucket', async () => {
    inTrace(recorded, () => observe(0.02));
    observe(0.4);
    inTrace(recorded, () => observe(99));
    const shown = await lines(OPEN);
    expect(shown).toContainEqual(expect.stringMatching(/le="0.025".* 1 # \{trace_id="4bf92f3577b34da6a3ce929d0e0e4736"\} 0.02 \d+(\.\d+)?$/));
    expect(shown).toContain(`${bucket('0.5')} 2`);
    expect(shown).toContainEqual(expect.stringMatching(/le="\+Inf".* 3 # \{trace_id=/));
  });

  it('show it of an observer too, also of a value above all bounds', async () => {
    const observer = metrics.requests.observer({ method: 'GET', route: '/x', status: 200 });
    inTrace(recorded, () => observer(0.02));
    observer(0.4);
    inTrace(recorded, () => observer(99));
    const shown = await lines(OPEN);
    expect(shown).toContainEqual(expect.stringMatching(/le="0.025".* 1 # \{trace_id="4bf92f3577b34da6a3ce929d0e0e4736"\} 0.02 \d+(\.\d+)?$/));
    expect(shown).toContain(`${bucket('0.5')} 2`);
    expect(shown).toContainEqual(expect.stringMatching(/le="\+Inf".* 3 # \{trace_id=/));
  });

  it('show no exemplar of a trace that is not recorded', async () => {
    inTrace(recorded.replace(/01$/, '00'), () => observe(0.02));
    recordSpans(undefined);
    inTrace(recorded, () => observe(0.02));
    expect(await lines(OPEN)).toContain(`${bucket('0.025')} 2`);
  });

  it('have the same names and values in both formats, however often each is asked for', async () => {
    metrics.refusals.inc({ route: '/x', code: 'not_found' });
    inTrace(recorded, () => observe(0.02));
    for (let time = 0; time < 2; time += 1)
      for (const accept of [OPEN, 'text/plain']) {
        const shown = await lines(accept);
        expect(shown).toContain('http_refusals_total{route="/x",code="not_found"} 1');
        expect(shown).toContain('http_request_duration_seconds_count{method="GET",route="/x",status="200"} 1');
      }
  });

  it('end with EOF as OpenMetrics and hold no empty line, which Prometheus would refuse', async () => {
    const { text } = await metrics.watchProcess().shown(OPEN);
    expect(text).toMatch(/\n# EOF\n$/);
    expect(text).not.toContain('\n\n');
    expect(text).toContain('# TYPE http_refusals counter\n');
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
  });

  it.each([
    ['nothing', undefined, 'text/plain'],
    ['anything', '*/*', 'text/plain'],
    ["Prometheus' header", `${OPEN};version=1.0.0,${OPEN};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`, OPEN],
    ['OpenMetrics in other letters', 'Application/OpenMetrics-Text; Version=1.0.0', OPEN],
    ['the text format first', `${OPEN};q=0.4,text/plain;q=0.5`, 'text/plain'],
    ['no OpenMetrics', `${OPEN};q=0`, 'text/plain'],
    ['a version that does not exist', `${OPEN};version=9.9.9`, 'text/plain'],
    ['a weight that is no number', `${OPEN};q=high`, 'text/plain'],
    ['a list without end', `${',;='.repeat(5_000)}`, 'text/plain'],
  ])('are in the format that a caller prefers: %s', async (_name, accept, type) => {
    expect((await metrics.shown(accept)).contentType).toMatch(new RegExp(`^${type};`));
  });
});
