import type { ClientId, Clock, Stored } from '#kernel';
import type { EventStore, RecordedEvent } from '#event-store';

import type { Client, ClientState } from '../domain/client.js';
import { clientDecider } from '../domain/client.decider.js';
import type { ClientEvent } from '../domain/client.events.js';
import { clientStream } from './client-stream.js';

export interface ClientRecord {
  readonly client: Client;
  /** SHA-256 of the one secret that is alive. */
  readonly secretHash: Buffer;
}

/**
 * What the streams say of clients. A record may be trusted for a while after it was read: the one cache that a
 * decision is taken on (architecture section 3), which {@link IssueSecret} therefore waits for.
 */
export class ClientRecords {
  readonly #trusted = new Map<ClientId, { readonly record: ClientRecord; readonly readAt: number }>();

  /** A store that answers the same list for a stream that has not changed saves folding it again. */
  readonly #folded = new WeakMap<readonly RecordedEvent[], ClientRecord>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    /** Milliseconds from when the read was sent, on the monotonic clock. 0: every look is a read. At most 1000 (api-extensions section 5). */
    readonly trustFor = 0,
  ) {}

  async find(clientId: ClientId): Promise<ClientRecord | undefined> {
    const readAt = this.clock.monotonic();
    const trusted = this.#trusted.get(clientId);
    if (trusted && readAt - trusted.readAt < this.trustFor) return trusted.record;
    const record = await this.#read(clientId);
    if (record && this.trustFor > 0) this.#trusted.set(clientId, { record, readAt });
    return record;
  }

  async #read(clientId: ClientId): Promise<ClientRecord | undefined> {
    const events = await this.store.read(clientStream(clientId));
    const known = this.#folded.get(events);
    if (known) return known;
    const state = events.reduce<ClientState>(
      (client, event) => clientDecider.evolve(client, event as unknown as Stored<ClientEvent>),
      clientDecider.initial,
    );
    if (state.status === 'NONE') return undefined;
    const record = { client: { clientId, ...state.terms }, secretHash: Buffer.from(state.secretHash, 'base64url') };
    this.#folded.set(events, record);
    return record;
  }
}
