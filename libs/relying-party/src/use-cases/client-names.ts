import { type ClientId, type Clock, type DomainEvent, hmac, type Randomness, type Secret } from '#kernel';
import { EventIds, type EventStore, type ExpectedRevision, NO_STREAM, type StreamName, streamName, WrongExpectedRevision } from '#event-store';

import { NameTaken } from '../domain/client.errors.js';

/** The facts of the stream `clientname-<keyed hash>`. */
type NameEvent = DomainEvent<'NameReserved', { readonly at: number; readonly clientId: ClientId }> | DomainEvent<'NameFreed', { readonly at: number }>;

interface Reservation {
  readonly stream: StreamName;
  readonly holder: ClientId | undefined;
  readonly revision: ExpectedRevision;
}

/** Makes the names of clients unique: a name is reserved for an id before the client's own stream says it. */
export class ClientNames {
  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly key: Secret<Buffer>,
  ) {}

  /**
   * The client that the name belongs to: the given one when the name was free. Another one may have been given up
   * in the middle of its registration: who meets that completes it.
   */
  async reserve(name: string, clientId: ClientId): Promise<ClientId> {
    for (;;) {
      const reservation = await this.#read(name);
      if (reservation.holder !== undefined && reservation.holder !== clientId) return reservation.holder;
      if (await this.#append(reservation, { type: 'NameReserved', data: { at: this.clock.now(), clientId } })) return clientId;
    }
  }

  /**
   * Reserves the new name of a client that is registered; throws {@link NameTaken}. The old name is let go by the
   * answer, and only if nobody, the client itself included, has reserved it since.
   */
  async exchange(from: string, to: string, clientId: ClientId): Promise<() => Promise<void>> {
    const old = await this.#read(from);
    if (this.#stream(to) === old.stream) return async () => {};
    if ((await this.reserve(to, clientId)) !== clientId) throw new NameTaken('another client holds the name');
    return async () => {
      if (old.holder === clientId) await this.#append(old, { type: 'NameFreed', data: { at: this.clock.now() } });
    };
  }

  async #read(name: string): Promise<Reservation> {
    const stream = this.#stream(name);
    const [last] = await this.store.read(stream, { direction: 'backwards', limit: 1 });
    const event = last as unknown as NameEvent | undefined;
    return { stream, revision: last?.revision ?? NO_STREAM, holder: event?.type === 'NameReserved' ? event.data.clientId : undefined };
  }

  /** Whether the stream was still as it was read. */
  async #append({ stream, revision }: Reservation, event: NameEvent): Promise<boolean> {
    try {
      await this.store.append(stream, revision, [{ ...event, id: new EventIds(this.randomness).next(stream) }]);
      return true;
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return false;
      throw error;
    }
  }

  // Names that people take for one another are one name.
  #stream(name: string): StreamName {
    const folded = name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ');
    return streamName('clientname', hmac(this.key.reveal(), 'client-name', folded).toString('hex'));
  }
}
