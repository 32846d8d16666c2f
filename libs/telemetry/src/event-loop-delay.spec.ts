import { monitorEventLoopDelay } from 'node:perf_hooks';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { type DelayHistogram, EventLoopDelay } from './event-loop-delay.js';

class Recorded implements DelayHistogram {
  isEnabled = false;
  count = 0;
  min = 9.2e18;
  max = 0;
  mean = NaN;
  stddev = NaN;

  percentile(percentile: number): number {
    return this.max * (percentile / 100);
  }

  enable(): boolean {
    return (this.isEnabled = true);
  }

  disable(): boolean {
    this.isEnabled = false;
    return true;
  }

  reset(): void {
    this.count = 0;
  }
}

describe('the delay of the event loop', () => {
  let registry: Registry;
  let histogram: Recorded;
  let utilization: number;
  let delay: EventLoopDelay;
  beforeEach(() => {
    registry = new Registry();
    histogram = new Recorded();
    utilization = 0;
    delay = new EventLoopDelay(registry, histogram, () => ({ idle: 0, active: 0, utilization }));
  });

  it('is sampled only while the process has something to do', () => {
    expect(histogram.isEnabled).toBe(false);
    for (const [share, isSampled] of [
      [0.001, false],
      [0.5, true],
      [0.02, true],
      [0.019, false],
    ] as const) {
      utilization = share;
      delay.look();
      expect(histogram.isEnabled).toBe(isSampled);
    }
  });

  it('is shown since the last report, and as 0 without samples', async () => {
    const shown = async (name: string): Promise<number> =>
      Number(new RegExp(`^nodejs_eventloop_lag_${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1]);
    expect(await shown('p99_seconds')).toBe(0);
    expect(await shown('min_seconds')).toBe(0);
    Object.assign(histogram, { count: 3, min: 50_000_000, max: 400_000_000, mean: 1, stddev: 1 });
    expect(await shown('p99_seconds')).toBeCloseTo(0.396);
    expect(await shown('max_seconds')).toBe(0);
  });

  it('has the values of the histogram of Node', () => {
    const real: DelayHistogram = monitorEventLoopDelay();
    expect(real.count).toBe(0);
    expect(real.percentile(99)).toEqual(expect.any(Number));
  });
});
