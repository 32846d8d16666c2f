import type { ClientId } from '#kernel';
import { categoryOf, idOf, type Loaded, NewerEventStored, type Streams, type UnitOfWork } from '#engines/event-store';

import type { Client, ClientState } from '../domain/client.js';
import type { ClientEvent } from '../domain/client.events.js';
import { CLIENTS, clientStream } from '../streams.js';

export interface ClientRecord {
  /** A deleted client is not enabled. */
  readonly client: Client;
  /** SHA-256 of the valid secret; undefined of a deleted client. */
  readonly secretHash: Buffer | undefined;
  readonly deleted: boolean;
}

/**
 * The clients, folded from their streams. A record may be used for a while after it was read, but not after a change by this process. Decisions rest on no other
 * cache (specification/storage.md#client-records-in-caches); {@link IssueSecret} waits until the records of other processes have expired.
 */
export class ClientRecords {
  readonly #recent = new Map<ClientId, { readonly record: ClientRecord; readonly readAt: number }>();

  /** The record of a state, made once. */
  readonly #records = new WeakMap<ClientState, ClientRecord>();

  /** How many events this process has appended to clients: a read that began before the newest of them may show the client as it was. */
  #ownChanges = 0;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    /** How long a record is used, in milliseconds from the start of its read (monotonic clock). 0: never. At most 1000 (specification/admin.md#secrets). */
    readonly recordLife = 0,
  ) {
    unitOfWork.observe((stream) => {
      if (categoryOf(stream) !== CLIENTS.category) return;
      this.#ownChanges += 1;
      this.#recent.delete(idOf(stream) as ClientId);
    });
  }

  /** Undefined also for a deleted client. Throws NewerEventStored: an event of a newer release may have withdrawn the client's rights. */
  async find(clientId: ClientId): Promise<ClientRecord | undefined> {
    const record = await this.findEver(clientId);
    return record?.deleted ? undefined : record;
  }

  /** A client that is or was registered. Throws NewerEventStored. */
  async findEver(clientId: ClientId): Promise<ClientRecord | undefined> {
    const readAt = this.unitOfWork.clock.monotonic();
    const ownChanges = this.#ownChanges;
    const recent = this.#recent.get(clientId);
    if (recent && readAt - recent.readAt < this.recordLife) return recent.record;
    const record = this.#recordOf(await this.unitOfWork.read(CLIENTS, clientStream(clientId)), clientId);
    if (record && this.recordLife > 0 && ownChanges === this.#ownChanges) this.#recent.set(clientId, { record, readAt });
    return record;
  }

  /** Within a work that the client concerns, as this process remembers the client: {@link Streams.recall}. Undefined for an unknown client. Throws NewerEventStored. */
  async recallIn(streams: Streams, clientId: ClientId): Promise<ClientRecord | undefined> {
    return this.#recordOf(await streams.recall(CLIENTS, clientStream(clientId)), clientId);
  }

  /** The same without a promise, of a client that this process has read. Undefined where {@link find} has to tell. */
  recent(clientId: ClientId): ClientRecord | undefined {
    const recent = this.#recent.get(clientId);
    const loaded = recent ? undefined : this.unitOfWork.recent(CLIENTS, clientStream(clientId));
    const isFresh = recent && this.unitOfWork.clock.monotonic() - recent.readAt < this.recordLife;
    const record = isFresh ? recent.record : loaded && !loaded.newer ? this.#recordOf(loaded, clientId) : undefined;
    return record?.deleted ? undefined : record;
  }

  #recordOf({ state, newer }: Loaded<ClientState, ClientEvent>, clientId: ClientId): ClientRecord | undefined {
    if (newer) throw new NewerEventStored(newer);
    if (state.status === 'NONE') return undefined;
    const known = this.#records.get(state);
    if (known) return known;
    const deleted = state.status === 'DELETED';
    const record = {
      client: { clientId, ...state.terms, enabled: !deleted && state.enabled },
      secretHash: deleted ? undefined : Buffer.from(state.secretHash, 'base64url'),
      deleted,
    };
    this.#records.set(state, record);
    return record;
  }
}
