import { recordedTraceId } from '#kernel';
import { Histogram, type Registry } from 'prom-client';

/** Adds one observation. */
export type Observe = (value: number) => void;

type Labels<Label extends string> = Readonly<Record<Label, string | number>>;

interface HistogramOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[];
}

/** The counts of one set of labels, as prom-client keeps them. */
interface Counts<Label extends string> {
  readonly labels: Labels<Label>;
  readonly bucketValues: Record<string, number>;
  sum: number;
  count: number;
}

/** What the types of prom-client leave out. */
interface Inside<Label extends string> {
  readonly hashMap: Readonly<Record<string, Counts<Label>>>;
  updateExemplar(labels: Labels<Label>, value: number, exemplarLabels: Readonly<Record<string, string>>): void;
}

/**
 * A histogram with an {@link observer} for fixed labels. prom-client checks the labels and joins them to a key at each observation, also of `labels(…)`. That
 * takes ten times as long as the count itself.
 *
 * It keeps for each bucket the id of a recorded trace that fell into it, as an exemplar. OpenMetrics shows exemplars, the text format does not.
 */
export class DurationHistogram<Label extends string> {
  readonly name: string;
  readonly #histogram: Histogram;
  readonly #inside: Inside<Label>;
  readonly #bounds: readonly (readonly [bound: number, bucket: string])[];

  constructor(registry: Registry, { labelNames, buckets, ...options }: HistogramOptions<Label>) {
    this.name = options.name;
    this.#bounds = buckets.map((bound) => [bound, String(bound)]);
    // prom-client refuses exemplars when a histogram is made for a registry of the text format. Here the format is chosen for each answer.
    this.#histogram = new Histogram<string>({ ...options, labelNames: [...labelNames], buckets: [...buckets], enableExemplars: true, registers: [] });
    this.#inside = this.#histogram as unknown as Inside<Label>;
    registry.registerMetric(this.#histogram);
  }

  /** Counts a value. The trace of the work that runs becomes the exemplar of its bucket, if it is recorded. */
  observe(labels: Labels<Label>, value: number): void {
    const traceId = recordedTraceId();
    this.#histogram.observe({ labels, value, exemplarLabels: traceId === undefined ? {} : { trace_id: traceId } });
  }

  /** Counts observations with these labels, as `observe` does. Make it once for the labels, and keep it. */
  observer(labels: Labels<Label>): Observe {
    const counts = this.#countsOf(labels);
    const bounds = this.#bounds;
    return (value) => {
      counts.sum += value;
      counts.count += 1;
      const traceId = recordedTraceId();
      if (traceId !== undefined) this.#inside.updateExemplar(labels, value, { trace_id: traceId });
      // The buckets are added up when they are read.
      for (const [bound, bucket] of bounds) {
        if (value > bound) continue;
        counts.bucketValues[bucket] = (counts.bucketValues[bucket] ?? 0) + 1;
        return;
      }
    };
  }

  #countsOf(labels: Labels<Label>): Counts<Label> {
    const known = this.#find(labels);
    if (known) return known;
    this.#histogram.zero({ ...labels });
    return this.#find(labels) as Counts<Label>;
  }

  #find(labels: Labels<Label>): Counts<Label> | undefined {
    return Object.values(this.#inside.hashMap).find((counts) =>
      Object.entries(labels as object).every(([label, value]: [string, unknown]) => String(counts.labels[label as Label]) === String(value)),
    );
  }
}
