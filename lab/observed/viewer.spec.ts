import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { panel } from './chart.js';
import { dashboardPage } from './dashboard.js';
import { configuration } from './prometheus.js';
import { Viewer } from './viewer.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = { traceId: TRACE, spanId: '00f067aa0ba902b7', name: 'POST /x', startTimeUnixNano: '1000000', endTimeUnixNano: '3000000' };
const EXPORT = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] });

describe('the viewer', () => {
  let viewer: Viewer;
  beforeEach(async () => {
    viewer = new Viewer('http://127.0.0.1:9');
    await viewer.start(0);
  });
  afterEach(() => viewer.stop());

  const send = async (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(`${viewer.url}/v1/traces`, { method: 'POST', body, headers })).status;
  const text = async (path: string): Promise<string> => (await fetch(`${viewer.url}${path}`)).text();

  it('takes exports, packed ones too, and shows them', async () => {
    expect(await send(EXPORT)).toBe(200);
    expect(await send(gzipSync(EXPORT), { 'content-encoding': 'gzip' })).toBe(200);
    expect(viewer.traces().map((spans) => spans.length)).toEqual([2]);
    expect(await text('/')).toContain(`<a href="/traces/${TRACE}">POST /x</a>`);
    expect(await text(`/traces/${TRACE}`)).toContain('2.0 ms');
  });

  it('runs no script that it was sent', async () => {
    const { headers } = await fetch(viewer.url);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'");
  });

  it('refuses an invalid export, and still takes the next one', async () => {
    expect(await send('no JSON')).toBe(400);
    expect(await send(gzipSync(Buffer.alloc(17 * 1024 * 1024)), { 'content-encoding': 'gzip' })).toBe(400);
    expect((await fetch(`${viewer.url}/traces/nothing`)).status).toBe(404);
    expect(await send(EXPORT)).toBe(200);
  });
});

describe('the dashboard', () => {
  it('draws each panel of the chart from the answers of Prometheus', async () => {
    const asked: string[] = [];
    const html = await dashboardPage(async (expression) => {
      asked.push(expression);
      const points = [
        [100, 1],
        [101, 3],
      ] as const;
      return expression.includes('session_steps_total') ? [{ labels: { kind: 'login', step: '<b>' }, points }] : [];
    });
    expect(asked.length).toBeGreaterThan(25);
    expect(html).toContain('login &lt;b&gt; 3/s');
    expect(html.match(/no data/g)!.length).toBe(html.match(/<figure>/g)!.length - 1);
  });

  it('draws lines from the first to the last time and up to the largest value, and leaves out values that are not numbers', () => {
    const html = panel('Time', 's', [
      {
        name: 'p99',
        points: [
          [0, 0],
          [5, Number.NaN],
          [10, 0.25],
        ],
      },
    ]);
    expect(html).toContain('points="52.0,146.0 420.0,12.0"');
    expect(html).toContain('250.0 ms');
  });
});

describe('the configuration of Prometheus', () => {
  it('reads the targets, with the alerts of the chart', () => {
    const made = JSON.parse(configuration({ targets: { countersign: ['127.0.0.1:3000'] } })) as {
      rule_files: string[];
      scrape_configs: object[];
    };
    expect(made.scrape_configs).toEqual([{ job_name: 'countersign', static_configs: [{ targets: ['127.0.0.1:3000'] }] }]);
    expect(made.rule_files).toEqual([expect.stringMatching(/\/service\.yaml$/), expect.stringMatching(/\/slo\.yaml$/)]);
  });
});
