import { describe, expect, it } from '@jest/globals';

import { SeenTraces } from './seen-traces.js';
import { type SeenSpan, spansOf } from './spans.js';
import { rowsOf, traceList, waterfall } from './waterfall.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const id = (number: number): string => number.toString(16).padStart(16, '0');
const at = (milliseconds: number): string => String(BigInt(milliseconds) * 1_000_000n);

const WORK = { traceId: TRACE, name: 'work', kind: 1, startTimeUnixNano: at(1_000), endTimeUnixNano: at(1_250) };

const exported = (...spans: object[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'signing' } }] },
        scopeSpans: [{ spans: spans.map((span) => ({ ...WORK, ...span })) }],
      },
    ],
  });
const span = (number: number, changes: object = {}): SeenSpan => spansOf(exported({ spanId: id(number), ...changes }))[0]!;

describe('an export of traces', () => {
  it('is read with its service, times, attributes and links', () => {
    const other = 'a'.repeat(32);
    expect(
      span(2, {
        parentSpanId: id(1),
        kind: 2,
        status: { code: 2 },
        attributes: [
          { key: 'http.route', value: { stringValue: '/x' } },
          { key: 'countersign.attempt', value: { intValue: 3 } },
        ],
        links: [{ traceId: other, spanId: id(9) }],
      }),
    ).toEqual({
      traceId: TRACE,
      spanId: id(2),
      parentSpanId: id(1),
      name: 'work',
      service: 'signing',
      kind: 'server',
      start: 1_000,
      end: 1_250,
      failed: true,
      attributes: [
        ['http.route', '/x'],
        ['countersign.attempt', '3'],
      ],
      links: [other],
    });
  });

  it.each([
    ['another document', '{"resourceSpans": 7}'],
    ['null', 'null'],
    ['a list', '[[]]'],
    ['an id that is none', exported({ spanId: '../../etc' })],
    ['no times', exported({ spanId: id(1), startTimeUnixNano: undefined })],
    ['a time that no date holds', exported({ spanId: id(1), endTimeUnixNano: '9'.repeat(40) })],
  ])('holds no span: %s', (_what, body) => {
    expect(spansOf(body)).toEqual([]);
  });

  it('is refused when it is not JSON', () => {
    expect(() => spansOf('<html>')).toThrow(SyntaxError);
  });
});

describe('the traces that were seen', () => {
  it('keep a limited number of traces, and of spans in each', () => {
    const traces = new SeenTraces();
    for (let number = 0; number < 501; number += 1) traces.add([{ ...span(1), traceId: number.toString(16).padStart(32, '0') }]);
    expect(traces.list()).toHaveLength(500);
    expect(traces.find('0'.repeat(32))).toEqual([]);
    traces.add(Array.from({ length: 2_001 }, (_, number) => span(number + 1)));
    expect(traces.find(TRACE)).toHaveLength(2_000);
  });
});

describe('the page of a trace', () => {
  it('shows each span below its parent, by time, also one whose parent is missing', () => {
    const spans = [
      span(3, { parentSpanId: id(1), startTimeUnixNano: at(1_100) }),
      span(2, { parentSpanId: id(1), startTimeUnixNano: at(1_050) }),
      span(1),
      span(4, { parentSpanId: id(99), startTimeUnixNano: at(1_200) }),
    ];
    expect(rowsOf(spans).map((row) => [row.span.spanId, row.depth])).toEqual([
      [id(1), 0],
      [id(2), 1],
      [id(3), 1],
      [id(4), 0],
    ]);
  });

  it('does not loop when spans name each other, or themselves, as parents', () => {
    expect(rowsOf([span(1, { parentSpanId: id(2) }), span(2, { parentSpanId: id(1) }), span(3, { parentSpanId: id(3) })])).toHaveLength(1);
    expect(rowsOf([span(1), span(1)])).toHaveLength(2);
  });

  it('places the bars by time', () => {
    const inner = span(2, { parentSpanId: id(1), startTimeUnixNano: at(1_500), endTimeUnixNano: at(1_750) });
    const html = waterfall(TRACE, [span(1, { endTimeUnixNano: at(2_000) }), inner]);
    expect(html).toContain('2 spans in 1.00 s');
    expect(html).toContain('left:0.000%;width:100.000%');
    expect(html).toContain('left:50.000%;width:25.000%');
    expect(html).toContain('250.0 ms');
  });

  it('shows texts of the export as text, not as HTML', () => {
    const hostile = "<script>alert(1)</script>\" onmouseover='x'";
    const spans = [span(1, { name: hostile, attributes: [{ key: hostile, value: { stringValue: hostile } }] })];
    for (const html of [waterfall(TRACE, spans), traceList([spans])]) {
      expect(html).not.toContain('<script');
      expect(html).not.toContain('" onmouseover');
    }
  });

  it('says that there is none', () => {
    expect(waterfall(TRACE, [])).toContain('No such trace');
  });
});
