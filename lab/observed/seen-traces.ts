import type { SeenSpan } from './spans.ts';

/** The most traces that are kept; a further one removes the oldest. */
const MOST_TRACES = 500;
/** The most spans of a trace; further ones are left out. */
const MOST_SPANS = 2_000;

/** The last traces that arrived, in memory. */
export class SeenTraces {
  readonly #traces = new Map<string, SeenSpan[]>();

  add(spans: readonly SeenSpan[]): void {
    for (const span of spans) {
      const trace = this.#traces.get(span.traceId) ?? [];
      if (trace.length < MOST_SPANS) trace.push(span);
      this.#traces.set(span.traceId, trace);
      const [oldest] = this.#traces.keys();
      if (this.#traces.size > MOST_TRACES && oldest !== undefined) this.#traces.delete(oldest);
    }
  }

  /** Empty for a trace that never arrived, or was removed for newer ones. */
  find(traceId: string): readonly SeenSpan[] {
    return this.#traces.get(traceId) ?? [];
  }

  /** The newest first. */
  list(): readonly (readonly SeenSpan[])[] {
    return [...this.#traces.values()].reverse();
  }
}
