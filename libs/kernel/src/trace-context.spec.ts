import { describe, expect, it } from '@jest/globals';

import { currentTraceparent, inTrace, traceparentOf } from './trace-context.js';

const IDS = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('traceparentOf', () => {
  it('takes the header of version 00, and a later one as version 00', () => {
    expect(traceparentOf(`00-${IDS}`)).toBe(`00-${IDS}`);
    expect(traceparentOf(`01-${IDS}`)).toBe(`00-${IDS}`);
    expect(traceparentOf(`01-${IDS}-more`)).toBe(`00-${IDS}`);
  });

  it.each([
    undefined,
    '',
    ['00', IDS],
    `ff-${IDS}`,
    `00-${IDS}-more`,
    `00-${IDS.toUpperCase()}`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
    `00-${IDS}\r\nx: y`,
    ` 00-${IDS}`,
  ])('takes nothing from %j', (header) => {
    expect(traceparentOf(header)).toBeUndefined();
  });
});

describe('inTrace', () => {
  it('shows the trace to all that the work starts, and to nothing else', async () => {
    const seen = inTrace(`00-${IDS}`, async () => {
      await Promise.resolve();
      return currentTraceparent();
    });
    expect(currentTraceparent()).toBeUndefined();
    expect(await seen).toBe(`00-${IDS}`);
    expect(inTrace(undefined, currentTraceparent)).toBeUndefined();
  });
});
