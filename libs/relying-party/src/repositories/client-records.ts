import type { ClientId, Clock } from '#kernel';
import { type EventStore, isKnown, NewerEventStored, type RecordedEvent } from '#event-store';

import type { Client, ClientState } from '../domain/client.js';
import { clientDecider } from '../domain/client.decider.js';
import { CLIENT_EVENTS, type ClientEvent } from '../domain/client.events.js';
import { clientStream } from './client-stream.js';

export interface ClientRecord {
  /** A deleted client is not enabled. */
  readonly client: Client;
  /** SHA-256 of the valid secret; undefined of a deleted client. */
  readonly secretHash: Buffer | undefined;
  readonly deleted: boolean;
}

/**
 * The clients, folded from their streams. A record may be used for a while after it was read. Decisions rest on no other cache
 * (specification/storage.md#client-records-in-caches); {@link IssueSecret} waits until it has expired.
 */
export class ClientRecords {
  readonly #recent = new Map<ClientId, { readonly record: ClientRecord; readonly readAt: number }>();

  /** The store may answer the same list for an unchanged stream, which then needs no folding. */
  readonly #folded = new WeakMap<readonly RecordedEvent[], ClientRecord>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    /** How long a record is used, in milliseconds from the start of its read (monotonic clock). 0: never. At most 1000 (specification/admin.md#secrets). */
    readonly recordLife = 0,
  ) {}

  /** Undefined also for a deleted client. Throws NewerEventStored: an event of a newer release may have withdrawn the client's rights. */
  async find(clientId: ClientId): Promise<ClientRecord | undefined> {
    const record = await this.findEver(clientId);
    return record?.deleted ? undefined : record;
  }

  /** A client that is or was registered. Throws NewerEventStored. */
  async findEver(clientId: ClientId): Promise<ClientRecord | undefined> {
    const readAt = this.clock.monotonic();
    const recent = this.#recent.get(clientId);
    if (recent && readAt - recent.readAt < this.recordLife) return recent.record;
    const record = await this.#read(clientId);
    if (record && this.recordLife > 0) this.#recent.set(clientId, { record, readAt });
    return record;
  }

  /** The same without a promise, of a client that this process has read. Undefined where {@link find} has to tell. */
  recent(clientId: ClientId): ClientRecord | undefined {
    const recent = this.#recent.get(clientId);
    const events = recent ? undefined : this.store.recent(clientStream(clientId));
    const isFresh = recent && this.clock.monotonic() - recent.readAt < this.recordLife;
    const record = isFresh ? recent.record : events && this.#folded.get(events);
    return record?.deleted ? undefined : record;
  }

  async #read(clientId: ClientId): Promise<ClientRecord | undefined> {
    const events = await this.store.read<ClientEvent>(clientStream(clientId));
    const known = this.#folded.get(events);
    if (known) return known;
    const newer = events.find((event) => !isKnown(CLIENT_EVENTS, event));
    if (newer) {
      this.store.onNewerEvent(newer);
      throw new NewerEventStored(newer);
    }
    const state = events.reduce<ClientState>((client, event) => clientDecider.evolve(client, event), clientDecider.initial);
    if (state.status === 'NONE') return undefined;
    const deleted = state.status === 'DELETED';
    const record = {
      client: { clientId, ...state.terms, enabled: !deleted && state.enabled },
      secretHash: deleted ? undefined : Buffer.from(state.secretHash, 'base64url'),
      deleted,
    };
    this.#folded.set(events, record);
    return record;
  }
}
