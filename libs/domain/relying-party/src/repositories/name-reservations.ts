import type { ClientId } from '#kernel';
import { decideOnLast, lastEventOf, type StreamLooks, type StreamName, type Streams, type UnitOfWork } from '#engines/event-store';

import { CLIENT_NAMES, CLIENTS, clientStream, type NameEvent } from '../streams.js';

interface Claim {
  /** The given client, or the one that came first. */
  readonly holder: ClientId;
  /** Frees the stream if this claim has taken it while it was free, and nothing was stored in it since. */
  readonly undo: () => Promise<void>;
}

const NAME = lastEventOf<NameEvent>(CLIENT_NAMES);

type Decide = Parameters<typeof decideOnLast<NameEvent>>[2];

/** The streams `clientname-*`. Each names the client that holds it; one whose client was deleted is free. */
export class NameReservations {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Undefined while the stream is free. */
  async holder(stream: StreamName): Promise<ClientId | undefined> {
    const held = holderOf((await this.unitOfWork.read(NAME, stream)).state);
    return held !== undefined && (await isDeleted(this.unitOfWork.looks, held)) ? undefined : held;
  }

  /** Whether the client was ever registered. */
  async isBegun(clientId: ClientId): Promise<boolean> {
    return this.unitOfWork.store.exists(clientStream(clientId));
  }

  /**
   * Reserves the stream for the client if it is free.
   *
   * @param again whether a client that holds the stream reserves it once more, so that a pending release finds a newer event and does nothing.
   */
  async claim(stream: StreamName, clientId: ClientId, { again = false } = {}): Promise<Claim> {
    let before: ClientId | undefined;
    const { last, isAppended } = await this.#decide(stream, async (event, streams) => {
      before = holderOf(event);
      const isFree = before === undefined || (before === clientId ? again : await isDeleted(streams, before));
      return isFree ? [{ type: 'NameReserved', data: { at: this.unitOfWork.clock.now(), clientId } }] : [];
    });
    if (!isAppended) return { holder: before ?? clientId, undo: nothing };
    return { holder: clientId, undo: before === clientId ? nothing : () => this.#free(stream, last?.id) };
  }

  /** Answers a function that frees the stream if the client holds it now and nothing was stored in it since. */
  async leave(stream: StreamName, clientId: ClientId): Promise<() => Promise<void>> {
    const { state: last } = await this.unitOfWork.read(NAME, stream);
    return holderOf(last) === clientId ? () => this.#free(stream, last?.id) : nothing;
  }

  /** `reserved`: the id of the reservation, which is to be the last event still. */
  async #free(stream: StreamName, reserved: string | undefined): Promise<void> {
    await this.#decide(stream, (last) => (last?.id === reserved ? [{ type: 'NameFreed', data: { at: this.unitOfWork.clock.now() } }] : []));
  }

  /** Judges no right: the change that the reservation belongs to is a work of its own. */
  #decide(stream: StreamName, decide: Decide): ReturnType<typeof decideOnLast<NameEvent>> {
    return this.unitOfWork.under(undefined, () => decideOnLast(this.unitOfWork, { type: NAME, stream }, decide));
  }
}

const isDeleted = async (looks: StreamLooks | Streams, clientId: ClientId): Promise<boolean> =>
  (await looks.look(CLIENTS, clientStream(clientId))).state.status === 'DELETED';

/** Undefined when the stream is free. */
const holderOf = (event: NameEvent | undefined): ClientId | undefined => (event?.type === 'NameReserved' ? event.data.clientId : undefined);

const nothing = async (): Promise<void> => {};
