import type { ClientId, Clock } from '#kernel';
import { decideAndAppend, type EventStore, type LastEvent, readLast, type StreamName } from '#engines/event-store';

import type { ClientEvent } from '../domain/client.events.js';
import { clientStream, type NameEvent } from '../streams.js';

interface Claim {
  /** The given client, or the one that came first. */
  readonly holder: ClientId;
  /** Frees the stream if this claim has taken it while it was free, and nothing was stored in it since. */
  readonly undo: () => Promise<void>;
}

/** The streams `clientname-*`. Each names the client that holds it; one whose client was deleted is free. */
export class NameReservations {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** Undefined while the stream is free. */
  async holder(stream: StreamName): Promise<ClientId | undefined> {
    const held = holderOf((await readLast<NameEvent>(this.store, stream)).last);
    return held !== undefined && (await this.#isDeleted(held)) ? undefined : held;
  }

  /** Whether the client was ever registered. */
  async isBegun(clientId: ClientId): Promise<boolean> {
    return this.store.exists(clientStream(clientId));
  }

  /**
   * Reserves the stream for the client if it is free.
   *
   * @param again whether a client that holds the stream reserves it once more, so that a pending release finds a newer event and does nothing.
   */
  async claim(stream: StreamName, clientId: ClientId, { again = false } = {}): Promise<Claim> {
    const { store, clock } = this;
    const { loaded, appended, revision } = await decideAndAppend<LastEvent<NameEvent>, NameEvent>({ store, clock }, stream, {
      load: (conflict) => readLast<NameEvent>(store, stream, conflict),
      decide: async ({ last }) => {
        const before = holderOf(last);
        const isFree = before === undefined || (before === clientId ? again : await this.#isDeleted(before));
        return isFree ? [{ type: 'NameReserved', data: { at: clock.now(), clientId } }] : [];
      },
    });
    const before = holderOf(loaded.last);
    if (appended.length === 0) return { holder: before ?? clientId, undo: nothing };
    return { holder: clientId, undo: before === clientId ? nothing : () => this.#free(stream, { holder: clientId, revision }) };
  }

  /** Answers a function that frees the stream if the client holds it now and nothing was stored in it since. */
  async leave(stream: StreamName, clientId: ClientId): Promise<() => Promise<void>> {
    const { last, revision } = await readLast<NameEvent>(this.store, stream);
    return holderOf(last) === clientId ? () => this.#free(stream, { holder: clientId, revision }) : nothing;
  }

  async #free(stream: StreamName, at: { readonly holder: ClientId; readonly revision: LastEvent<NameEvent>['revision'] }): Promise<void> {
    const { store, clock } = this;
    await decideAndAppend<LastEvent<NameEvent>, NameEvent>({ store, clock }, stream, {
      load: (conflict) => readLast<NameEvent>(store, stream, conflict),
      decide: ({ last, revision }) =>
        revision === at.revision && holderOf(last) === at.holder ? [{ type: 'NameFreed', data: { at: clock.now() } }] : [],
    });
  }

  /** A deletion is the last event of the client's stream. */
  async #isDeleted(clientId: ClientId): Promise<boolean> {
    return (await readLast<ClientEvent>(this.store, clientStream(clientId))).last?.type === 'ClientDeleted';
  }
}

/** Undefined when the stream is free. */
const holderOf = (event: NameEvent | undefined): ClientId | undefined => (event?.type === 'NameReserved' ? event.data.clientId : undefined);

const nothing = async (): Promise<void> => {};
