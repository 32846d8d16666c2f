import { CommandHandler, NO_STREAM, type StreamName, type UnitOfWork } from '#engines/event-store';
import type { Clock, Randomness } from '#kernel';
import { RELAY_LEASES } from '#service/platform';

import { type Progress, type RelayCommand, type Relayed, relayDecider, type RelayState } from './relay.decider.js';

/** In milliseconds. */
export interface LeaseTimes {
  /** How long the lease of a dead holder prevents a standby from taking over. */
  readonly lease: number;
  /** How far back a lost topic is filled again. */
  readonly horizon: number;
}

/** The right to relay one topic, and the checkpoint that only its holder can move. */
export class Lease {
  readonly stream: StreamName;
  readonly #handler: CommandHandler<RelayState, RelayCommand, Relayed>;
  readonly #owner: string;
  #state: RelayState | undefined;
  #revision = 0;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    randomness: Randomness,
    topic: string,
    private readonly times: LeaseTimes,
  ) {
    this.#handler = new CommandHandler(unitOfWork, { category: RELAY_LEASES.category, decider: relayDecider });
    this.stream = RELAY_LEASES.of(topic);
    this.#owner = randomness.uuid();
  }

  /** Takes the lease, with the checkpoint of the last holder. Throws LeaseHeld. */
  async take(): Promise<void> {
    const { state, revision } = await this.#handler.load(this.stream);
    if (revision === NO_STREAM) await RELAY_LEASES.retain(this.unitOfWork.store, this.stream);
    const command: RelayCommand = { type: 'TakeLease', owner: this.#owner, now: this.clock.now(), ttl: this.times.lease };
    // A standby is refused here each second, by one read.
    relayDecider.decide(command, state);
    await this.#handle(command);
  }

  /** Moves the checkpoint and renews the lease for its full time. Answers the revision of the append. Throws LeaseLost, CheckpointWentBack. */
  checkpoint(progress: Progress): Promise<number> {
    return this.#handle({ ...this.#holder, type: 'Checkpoint', progress, horizon: this.times.horizon });
  }

  /** Notes that the topic was lost, with the last position that was on it. Throws LeaseLost, CheckpointWentBack. */
  async refillTopic(position: string): Promise<void> {
    await this.#handle({ ...this.#holder, type: 'RefillTopic', position, horizon: this.times.horizon });
  }

  /** Notes that the store does not know the checkpoint. Live events go on after the newest position of the store. Throws LeaseHeld, LeaseLost. */
  async beginAnew(): Promise<void> {
    await this.take();
    const [last] = await this.unitOfWork.store.read(this.stream, { direction: 'backwards', limit: 1 });
    const { position } = last!;
    await this.#handle({ ...this.#holder, type: 'BeginAnew', position: String(position) });
  }

  /** Ends the lease at once, so that a standby need not wait, and stores how far it came. */
  async release(progress?: Progress): Promise<void> {
    const last = progress && { progress, known: this.state.position };
    await this.#handle({ type: 'ReleaseLease', owner: this.#owner, now: this.clock.now(), ...(last && { last }) });
  }

  /** As last stored by this process. */
  get state(): RelayState {
    return this.#state ?? relayDecider.initial;
  }

  /** Of the last append of this process. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether the lease has not run out. After that time this process may still hold it: only an append decides. */
  get isCurrent(): boolean {
    return this.#state !== undefined && this.clock.now() < this.#state.until;
  }

  get #holder() {
    return { owner: this.#owner, now: this.clock.now(), ttl: this.times.lease, known: this.state.position };
  }

  async #handle(command: RelayCommand): Promise<number> {
    const { state, revision } = await this.#handler.handle(this.stream, () => command);
    this.#state = state;
    this.#revision = Number(revision);
    return this.#revision;
  }
}
