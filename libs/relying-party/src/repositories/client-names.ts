import { type ClientId, type Clock, type DomainEvent, hmac, type Secret } from '#kernel';
import { decideAndAppend, type EventStore, type LastEvent, readLast, reserve, type StreamName, streamName } from '#event-store';

import { NameTaken } from '../domain/client.errors.js';
import type { ClientEvent } from '../domain/client.events.js';
import { clientStream } from './client-stream.js';

/** The events of the stream `clientname-<keyed hash>`. */
type NameEvent =
  DomainEvent<'NameReserved', { readonly at: number; readonly clientId: ClientId }> | DomainEvent<'NameFreed', { readonly at: number }>;

/** The streams `clientname-*`: make the names of clients unique. A name is reserved before it is stored in the client's stream. */
export class ClientNames {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly key: Secret<Buffer>,
  ) {}

  /**
   * Reserves the name. Answers the client that holds it: the given one, or the one that came first. The registration of that client may
   * have been interrupted; the caller then completes it under the reserved id. A name whose client was deleted is free.
   */
  async reserve(name: string, clientId: ClientId): Promise<ClientId> {
    const { store, clock } = this;
    const claim: NameEvent = { type: 'NameReserved', data: { at: clock.now(), clientId } };
    // A client that holds the name reserves it again, so that a pending release of the same client finds a newer event and does nothing.
    const free = new Set<ClientId | undefined>([undefined, clientId]);
    for (;;) {
      const held = holderOf(await reserve<NameEvent>({ store, clock }, this.#stream(name), claim, (last) => free.has(holderOf(last))));
      if (held === undefined || held === clientId || !(await this.#isDeleted(held))) return held ?? clientId;
      free.add(held);
    }
  }

  /** A deletion is the last event of the client's stream. */
  async #isDeleted(clientId: ClientId): Promise<boolean> {
    return (await readLast<ClientEvent>(this.store, clientStream(clientId))).last?.type === 'ClientDeleted';
  }

  /**
   * Reserves the new name of a registered client. Answers a function that frees the old name, unless any client, including this
   * one, has reserved it since. Throws {@link NameTaken}.
   */
  async exchange(from: string, to: string, clientId: ClientId): Promise<() => Promise<void>> {
    const stream = this.#stream(from);
    if (this.#stream(to) === stream) return async () => {};
    const old = await readLast<NameEvent>(this.store, stream);
    if ((await this.reserve(to, clientId)) !== clientId) throw new NameTaken('another client holds the name');
    return () => this.#free(stream, old, clientId);
  }

  /** Frees the name if the client held it at `old` and the stream has not changed since. */
  async #free(stream: StreamName, old: LastEvent<NameEvent>, clientId: ClientId): Promise<void> {
    const { store, clock } = this;
    await decideAndAppend<LastEvent<NameEvent>, NameEvent>({ store, clock }, stream, {
      load: (conflict) => (conflict ? readLast<NameEvent>(store, stream) : old),
      decide: ({ last, revision }) =>
        last && revision === old.revision && holderOf(last) === clientId ? [{ type: 'NameFreed', data: { at: clock.now() } }] : [],
    });
  }

  // Names that differ in case, width or spaces only are the same name.
  #stream(name: string): StreamName {
    const folded = name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ');
    return streamName('clientname', hmac(this.key.reveal(), 'client-name', folded).toString('hex'));
  }
}

/** Undefined when the name is free. */
const holderOf = (event: NameEvent): ClientId | undefined => (event.type === 'NameReserved' ? event.data.clientId : undefined);
