import type { Clock } from '#kernel';
import type { Metrics } from '#telemetry';

/** A batch that takes longer than this is slow. Milliseconds. */
const SLOW = 10_000;

interface LagParts {
  readonly gauge: Pick<Metrics['busLag'], 'set' | 'remove'>;
  readonly clock: Clock;
}

interface BatchUnderWay {
  readonly since: number;
  /** Answers the last processed offset. */
  readonly done: () => bigint;
}

/** The end of a partition: the offset of the next record that is written. */
interface PartitionEnd {
  readonly partition: number;
  readonly high: string;
}

/** How far a consumer is behind the end of each of its partitions, as a metric. */
export class ConsumerLag {
  readonly #noted = new Set<number>();
  readonly #underWay = new Map<number, BatchUnderWay>();
  #isAsking = false;

  constructor(
    private readonly parts: LagParts,
    private readonly of: { readonly topic: string; readonly group: string },
  ) {}

  /** A batch begins. `done` answers the last processed offset at any moment. */
  begin({ partition, high }: PartitionEnd, done: () => bigint): void {
    this.#underWay.set(partition, { since: this.parts.clock.monotonic(), done });
    this.#note(partition, high, done());
  }

  /** The batch has ended, and its last processed offset is committed. */
  end({ partition, high }: PartitionEnd): void {
    const batch = this.#underWay.get(partition);
    if (batch) this.#note(partition, high, batch.done());
    this.#underWay.delete(partition);
  }

  /** Asks the brokers for the ends of the partitions with slow batches, as no new batch reports these ends. Without an answer the lag stays as it was. */
  async refresh(ask: () => Promise<readonly PartitionEnd[]>): Promise<void> {
    const { clock } = this.parts;
    const isSlow = [...this.#underWay.values()].some(({ since }) => clock.monotonic() - since >= SLOW);
    if (!isSlow || this.#isAsking) return;
    this.#isAsking = true;
    const ends = await ask().catch(() => []);
    this.#isAsking = false;
    for (const { partition, high } of ends) {
      const batch = this.#underWay.get(partition);
      if (batch) this.#note(partition, high, batch.done());
    }
  }

  /** Forgets the partitions that now belong to other processes. */
  keep(owned: readonly number[]): void {
    for (const partition of this.#noted) {
      if (owned.includes(partition)) continue;
      this.#noted.delete(partition);
      this.#underWay.delete(partition);
      this.parts.gauge.remove(this.#labels(partition));
    }
  }

  #note(partition: number, high: string, done: bigint): void {
    this.#noted.add(partition);
    this.parts.gauge.set(this.#labels(partition), Math.max(0, Number(BigInt(high) - done - 1n)));
  }

  #labels(partition: number): { topic: string; group: string; partition: string } {
    const { topic, group } = this.of;
    return { topic, group, partition: String(partition) };
  }
}
