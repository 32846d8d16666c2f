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
    this.#handler = new CommandHandler(store, relayDecider, clock);
    this.#stream = streamName('relay', topic);
    this.#owner = randomness.uuid();
  }

  /** Takes the lease and answers the checkpoint of the last holder. Throws LeaseHeld. */
  async take(): Promise<RelayState> {
    const { revision } = await this.#handler.load(this.#stream);
    if (revision === NO_STREAM) await this.store.setRetention(this.#stream, { maxCount: 1 });
    return this.#handle({ type: 'TakeLease', owner: this.#owner, now: this.clock.now(), ttl: this.ttl });
  }

  /** Moves the checkpoint and renews the lease. Throws LeaseLost, CheckpointWentBack. */
  advance(to: { readonly position: string; readonly reach: TopicReach }): Promise<RelayState> {
    return this.#handle({ ...to, type: 'Advance', ...this.#holder });
  }

  /** Renews the lease for its full time. Throws LeaseLost, CheckpointWentBack. */
  async renew(): Promise<void> {
    await this.#handle({ type: 'RenewLease', ...this.#holder });
  }

  /** Ends the lease at once, so that a standby need not wait. */
  async release(): Promise<void> {
    await this.#handle({ type: 'ReleaseLease', owner: this.#owner, now: this.clock.now() });
  }

  /** Whether the lease has not run out. After that time this process may still hold it: only an append decides. */
  get isCurrent(): boolean {
    return this.#state !== undefined && this.clock.now() < this.#state.until;
  }

  get #holder() {
    return { owner: this.#owner, now: this.clock.now(), ttl: this.ttl, known: this.#state?.position ?? '0' };
  }

  async #handle(command: RelayCommand): Promise<RelayState> {
    const { state } = await this.#handler.handle(this.#stream, () => command);
    this.#state = state;
    return state;
  }
}
