import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';

import { Gauge, type Registry } from 'prom-client';

/** Milliseconds between two samples. The time between them is part of the delay. */
const PRECISION = 50;
/** Milliseconds between two looks whether the process has anything to do. */
const LOOK_EVERY = 2_000;
/** A process that works for a smaller share of its time has nothing to do. */
const BUSY = 0.02;

/** The part of Node's histogram that is used. Nanoseconds. */
export interface DelayHistogram {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly stddev: number;
  percentile(percentile: number): number;
  enable(): boolean;
  disable(): boolean;
  reset(): void;
}

type Value = (histogram: DelayHistogram) => number;

const VALUES: Readonly<Record<string, readonly [help: string, value: Value]>> = {
  min: ['The minimum recorded event loop delay.', ({ min }) => min],
  max: ['The maximum recorded event loop delay.', ({ max }) => max],
  mean: ['The mean of the recorded event loop delays.', ({ mean }) => mean],
  stddev: ['The standard deviation of the recorded event loop delays.', ({ stddev }) => stddev],
  p50: ['The 50th percentile of the recorded event loop delays.', (histogram) => histogram.percentile(50)],
  p90: ['The 90th percentile of the recorded event loop delays.', (histogram) => histogram.percentile(90)],
  p99: ['The 99th percentile of the recorded event loop delays.', (histogram) => histogram.percentile(99)],
};

/** The beginning of the names of its metrics, which are those of prom-client. */
export const EVENT_LOOP_LAG = 'nodejs_eventloop_lag';

/**
 * How late the event loop is, since the last report. Each sample wakes the process, and twenty a second cost an idle process more than all of its other work
 * (docs/benchmarks.md). So samples are taken only while the process has something to do. Without samples every value is 0.
 */
export class EventLoopDelay {
  #before: EventLoopUtilization;
  #isBusy = false;

  /** Registers the metrics. The other parameters are for tests. */
  constructor(
    registry: Registry,
    private readonly histogram: DelayHistogram = monitorEventLoopDelay({ resolution: PRECISION }),
    private readonly utilization: typeof performance.eventLoopUtilization = (...of) => performance.eventLoopUtilization(...of),
  ) {
    this.#before = utilization();
    // The first of them, as it sets the others: they are reported after it, and tell of the same samples.
    const lag = gaugeOf(registry, `${EVENT_LOOP_LAG}_seconds`, 'Lag of event loop in seconds.', () => {
      const asked = performance.now();
      setImmediate(() => lag.set((performance.now() - asked) / 1e3));
      for (const { gauge, value } of gauges) gauge.set(histogram.count === 0 ? 0 : value(histogram) / 1e9);
      histogram.reset();
    });
    const gauges = Object.entries(VALUES).map(([name, [help, value]]) => ({
      gauge: gaugeOf(registry, `${EVENT_LOOP_LAG}_${name}_seconds`, help),
      value,
    }));
  }

  /** Looks every two seconds, as long as the process lives; keeps no process alive. */
  watch(): this {
    setInterval(() => this.look(), LOOK_EVERY).unref();
    return this;
  }

  /** Begins or ends the samples, as the process has had something to do since the last look or not. */
  look(): void {
    const now = this.utilization();
    const isBusy = this.utilization(now, this.#before).utilization >= BUSY;
    this.#before = now;
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    if (isBusy) this.histogram.enable();
    else this.histogram.disable();
  }
}

const gaugeOf = (registry: Registry, name: string, help: string, collect?: () => void): Gauge =>
  new Gauge({ name, help, registers: [registry], ...(collect && { collect }) });
