import type { Clock } from '#kernel';
import type { Metrics } from '#telemetry';

/**
 * How far the topic is behind the store, in seconds: the head of the store minus the checkpoint. The relay subscribes to its own checkpoints too: until
 * the subscription has delivered one, it has not delivered the events before it either. So the lag also grows when the subscription delivers nothing.
 */
export class RelayLag {
  /** Checkpoints that were appended and that the subscription has not delivered yet, oldest first. */
  #undelivered: { readonly revision: number; readonly at: number }[] = [];
  /** The time of the oldest event that waits for its acknowledgement, epoch milliseconds. */
  #inHand: number | undefined;
  /** The time of the last event that was published since the subscription delivered a checkpoint. */
  #published: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly metrics: Pick<Metrics, 'relayLag' | 'relayLagEvents'>,
  ) {}

  get seconds(): number {
    const since = this.#inHand ?? (this.#undelivered.length > 0 ? Math.min(this.#undelivered[0]!.at, this.#published ?? Infinity) : undefined);
    return since === undefined ? 0 : Math.max(0, this.clock.now() - since) / 1000;
  }

  /** A checkpoint was appended, with this revision. */
  appended(revision: number): void {
    this.#undelivered.push({ revision, at: this.clock.now() });
  }

  /** The subscription delivered the checkpoint with this revision, and everything before it was published. */
  delivered(revision: number): void {
    this.#undelivered = this.#undelivered.filter((one) => one.revision > revision);
    this.#published = undefined;
    this.report();
  }

  /** Events are about to be published, the oldest of this time (epoch milliseconds). */
  begin(oldest: number): void {
    this.#inHand = oldest;
    this.report();
  }

  /** They are published, the last of this time. */
  end(last: number): void {
    this.#inHand = undefined;
    this.#published = last;
    this.report();
  }

  /** Sets the number of events in the store that are not on the topic. */
  counted(events: number): void {
    this.metrics.relayLagEvents.set(events);
  }

  /** The relay ends, or another process relays. */
  clear(): void {
    this.#undelivered = [];
    this.#inHand = this.#published = undefined;
    this.counted(0);
    this.report();
  }

  /** Sets the gauge, which grows while nothing happens. */
  report(): void {
    this.metrics.relayLag.set(this.seconds);
  }
}
