import { afterEach, describe, expect, it } from '@jest/globals';

import { beginSpan, inSpan, inSpanAfter, type NewSpan, recordedTraceId, recordSpans, type SpanAttributes } from './spans.js';
import { currentTraceId, currentTraceparent, inTrace, traceHeaders } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const GIVEN = `00-${TRACE}-00f067aa0ba902b7-01`;
const OTHER = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01';

interface Recorded extends NewSpan {
  readonly set: SpanAttributes[];
  readonly ends: (string | undefined)[];
}

/** Notes the spans. The context of the first one ends with …1-01, and so on. */
const recording = (): Recorded[] => {
  const spans: Recorded[] = [];
  recordSpans({
    begin: (span) => {
      const recorded: Recorded = { ...span, set: [], ends: [] };
      spans.push(recorded);
      return {
        traceparent: `00-${TRACE}-${String(spans.length).padStart(16, '0')}-01`,
        set: (attributes) => void recorded.set.push(attributes),
        end: (failure) => void recorded.ends.push(failure),
      };
    },
  });
  return spans;
};

const work: NewSpan = { name: 'work', kind: 'internal' };
const notAsked = (): NewSpan => {
  throw new Error('the span was described');
};

describe('spans', () => {
  afterEach(() => recordSpans(undefined));

  it('are not described when nothing is recorded', async () => {
    expect(beginSpan(notAsked)).toBeUndefined();
    expect(inTrace(GIVEN, () => inSpan(notAsked, currentTraceparent))).toBe(GIVEN);
    expect(inSpanAfter(OTHER, notAsked, currentTraceparent)).toBeUndefined();
    await expect(inSpan(notAsked, async () => 'done')).resolves.toBe('done');
  });

  it('name their trace only where it is recorded, for the metrics', () => {
    expect(inTrace(GIVEN, recordedTraceId)).toBeUndefined();
    recording();
    expect(inTrace(GIVEN, recordedTraceId)).toBe(TRACE);
    expect(inTrace(GIVEN.replace(/01$/, '00'), recordedTraceId)).toBeUndefined();
    expect(recordedTraceId()).toBeUndefined();
  });

  it('are not begun outside of a trace', () => {
    recording();
    expect(inSpan(notAsked, currentTraceparent)).toBeUndefined();
    expect(inSpanAfter(undefined, notAsked, currentTraceparent)).toBeUndefined();
  });

  it('are the trace context of their work, also after an await, and end with the work', async () => {
    const spans = recording();
    const seen = inTrace(GIVEN, () =>
      inSpan(
        () => work,
        async () => {
          await Promise.resolve();
          return [currentTraceparent(), currentTraceId(), traceHeaders().traceparent, spans[0]?.ends.length];
        },
      ),
    );
    const own = `00-${TRACE}-0000000000000001-01`;
    expect(await seen).toEqual([own, TRACE, own, 0]);
    expect(spans).toMatchObject([{ ...work, parent: GIVEN, ends: [undefined] }]);
    expect(traceHeaders()).toEqual({});
  });

  it('end with the class of the error, not with its message', async () => {
    const spans = recording();
    const fail = () => {
      throw new RangeError('Mari 48001010001');
    };
    expect(() => inTrace(GIVEN, () => inSpan(() => work, fail))).toThrow(RangeError);
    await expect(inTrace(GIVEN, () => inSpan(() => work, async () => fail()))).rejects.toThrow(RangeError); // prettier-ignore
    expect(spans.map(({ ends }) => ends)).toEqual([['RangeError'], ['RangeError']]);
  });

  it('go on with the trace of a session in a request that brought none, and link to the request', () => {
    const spans = recording();
    const seen = inTrace(OTHER, () => inSpanAfter(GIVEN, () => work, currentTraceparent), true);
    expect(seen).toBe(`00-${TRACE}-0000000000000001-01`);
    expect(spans).toMatchObject([{ parent: GIVEN, link: OTHER, ends: [undefined] }]);
  });

  it('go on with the trace of a session where no trace runs', () => {
    const spans = recording();
    expect(inSpanAfter(GIVEN, () => work, currentTraceId)).toBe(TRACE);
    expect(spans).toMatchObject([{ parent: GIVEN, link: undefined }]);
  });

  it('stay in the trace that the caller or the message brought', () => {
    const spans = recording();
    expect(inTrace(OTHER, () => inSpanAfter(GIVEN, notAsked, currentTraceparent))).toBe(OTHER);
    const below = () => inSpan(() => work, () => inSpanAfter(GIVEN, notAsked, () => currentTraceparent())); // prettier-ignore
    inTrace(OTHER, below);
    expect(spans).toMatchObject([{ parent: OTHER }]);
  });
});
