import { CommandHandler, type EventStore, NO_STREAM, type StreamName, streamName } from '#event-store';
import type { Clock, Randomness } from '#kernel';
import type { TopicReach } from '#message-bus';

import { type RelayCommand, type Relayed, relayDecider, type RelayState } from './relay.decider.js';

/** The right to relay one topic, and the checkpoint that only its holder can move. */
export class Lease {
  readonly #handler: CommandHandler<RelayState, RelayCommand, Relayed>;
  readonly #stream: StreamName;
  readonly #owner: string;
  #state: RelayState | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    randomness: Randomness,
    topic: string,
    /** Milliseconds. */
    private readonly ttl: number,
  ) {
    this.#handler = new CommandHandler(store, relayDecider, clock, randomness);
    this.#stream = streamName('relay', topic);
    this.#owner = randomness.uuid();
  }

  /** Takes it, and answers where the last holder stood. Throws LeaseHeld. */
  async take(): Promise<RelayState> {
    const { revision } = await this.#handler.load(this.#stream);
    if (revision === NO_STREAM) await this.store.setRetention(this.#stream, { maxCount: 1 });
    return this.#handle({ type: 'TakeLease', owner: this.#owner, now: this.clock.now(), ttl: this.ttl });
  }

  /** Moves the checkpoint, and holds the lease for another while. Throws LeaseLost. */
  advance(to: { readonly position: string; readonly reach: TopicReach }): Promise<RelayState> {
    return this.#handle({ ...to, type: 'Advance', owner: this.#owner, now: this.clock.now(), ttl: this.ttl });
  }

  /** Holds it for another while. Throws LeaseLost. */
  async renew(): Promise<void> {
    await this.#handle({ type: 'RenewLease', owner: this.#owner, now: this.clock.now(), ttl: this.ttl });
  }

  /** So that another one need not wait. */
  async release(): Promise<void> {
    await this.#handle({ type: 'ReleaseLease', owner: this.#owner, now: this.clock.now() });
  }

  /** As far as this process knows. Past the time it may still be the holder: only an append tells. */
  get isCurrent(): boolean {
    return this.#state !== undefined && this.clock.now() < this.#state.until;
  }

  async #handle(command: RelayCommand): Promise<RelayState> {
    const { state } = await this.#handler.handle(this.#stream, () => command);
    this.#state = state;
    return state;
  }
}
