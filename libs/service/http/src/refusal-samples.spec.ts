import { FixedClock } from '#testkit/kernel/fixed-clock';

import { RefusalSamples } from './refusal-samples.js';

const written = (samples: RefusalSamples, times: number, kind = 'POST /app/v1/device invalid_activation_code'): number[] =>
  Array.from({ length: times }, () => samples.take(kind)).filter((count) => count !== undefined);

describe('log lines of refusals', () => {
  it('are all written while they are few', () => {
    expect(written(new RefusalSamples(new FixedClock()), 100)).toEqual(Array<number>(100).fill(1));
  });

  it('of 80,000 in ten seconds, 899 are written, and they stand for all', () => {
    const lines = written(new RefusalSamples(new FixedClock()), 80_000);
    expect(lines).toHaveLength(100 + 799);
    expect(lines.reduce((sum, count) => sum + count)).toBe(80_000);
  });

  it('of another kind are written meanwhile', () => {
    const samples = new RefusalSamples(new FixedClock());
    written(samples, 1_000);
    expect(written(samples, 1, 'GET /app/v1/device invalid_device_proof')).toEqual([1]);
  });

  it('are written again after ten seconds; the first stands for those that were left out', () => {
    const clock = new FixedClock();
    const samples = new RefusalSamples(clock);
    written(samples, 150);
    clock.advance(10_000);
    expect(written(samples, 2)).toEqual([51, 1]);
  });
});
