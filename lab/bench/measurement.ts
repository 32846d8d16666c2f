import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

import type { Measured } from './server.js';

export interface Measurement {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers that were not the right one, and requests without an answer: how many of each. */
  readonly failures: ReadonlyMap<string, number>;
  /** Processors that the server and the load kept busy, 1 being a whole one. */
  readonly serverLoad: number | undefined;
  readonly clientLoad: number;
}

/** Records durations, failures and processor time. */
export class Stopwatch {
  readonly #durations: RecordableHistogram = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 });
  readonly #began = performance.now();
  readonly #clientBefore = process.cpuUsage();
  readonly #serverBefore: number | undefined;
  readonly #failures = new Map<string, number>();

  constructor(private readonly server: Measured) {
    this.#serverBefore = server.cpuSeconds();
  }

  /** One went well, in so many milliseconds. */
  took(milliseconds: number): void {
    this.#durations.record(Math.max(1, Math.round(milliseconds * 1000)));
  }

  failed(why: string): void {
    this.#failures.set(why, (this.#failures.get(why) ?? 0) + 1);
  }

  stop(): Measurement {
    const seconds = (performance.now() - this.#began) / 1000;
    const { user, system } = process.cpuUsage(this.#clientBefore);
    const serverAfter = this.server.cpuSeconds();
    const known = serverAfter !== undefined && this.#serverBefore !== undefined;
    return {
      perSecond: this.#durations.count / seconds,
      p50: this.#durations.percentile(50) / 1000,
      p99: this.#durations.percentile(99) / 1000,
      failures: this.#failures,
      serverLoad: known ? (serverAfter - this.#serverBefore) / seconds : undefined,
      clientLoad: (user + system) / 1_000_000 / seconds,
    };
  }
}
