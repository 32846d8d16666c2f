import { type ClientId, hmac, type Secret } from '#kernel';
import type { StreamName, UnitOfWork } from '#engines/event-store';

import { NameTaken } from '../domain/client.errors.js';
import { RULES, skeletonOf } from '../domain/name/skeleton.js';
import type { OwnClient } from '../domain/own-client.js';
import { CLIENT_NAMES } from '../streams.js';
import { NameReservations } from './name-reservations.js';

/** The two streams that are reserved for a name. */
interface NameStreams {
  readonly name: StreamName;
  readonly skeleton: StreamName;
}

interface Reserved {
  /** The id to register under, or the registered client that holds the name. The id may come from a registration that was interrupted. */
  readonly clientId: ClientId;
  /**
   * Frees the name, unless the client has that name. Call it when the registration was refused because another one has begun the client's stream.
   */
  readonly undo: (has: string | undefined) => Promise<void>;
}

/**
 * Makes the names of clients and the skeletons of these names unique (specification/admin.md#names-of-clients): for each client one stream is reserved by its name and one by
 * its name's skeleton, before the name is stored in the client's stream.
 *
 * The skeleton is always reserved first. Two names that look alike compete for that stream, so the loser holds nothing.
 */
export class ClientNames {
  readonly #reservations: NameReservations;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly key: Secret<Buffer>,
    /** Its name, and every name that looks like it, is refused to all other clients, also before the service has registered it. */
    private readonly own: OwnClient,
  ) {
    this.#reservations = new NameReservations(unitOfWork);
  }

  /**
   * Reserves the name and its skeleton. Answers the client that holds the name: the given one, or the one that came first. The registration of that client may have
   * been interrupted; the caller then completes it under the reserved id. Throws {@link NameTaken} when another client's name looks like this one.
   */
  async reserve(wanted: string, clientId: ClientId): Promise<Reserved> {
    const { name, skeleton } = this.#streams(wanted);
    this.#assertNotReserved(wanted);
    const reservations = this.#reservations;
    const before = await reservations.holder(name);
    const id = before ?? clientId;
    if (id !== clientId && (await reservations.isBegun(id))) return { clientId: id, undo: nothing };
    const reserved = await reservations.claim(skeleton, id);
    // If two registrations run at once, the later one continues under the id of the first, and only one of them begins the client's stream.
    if (reserved.holder !== id && (before !== undefined || (await reservations.isBegun(reserved.holder)))) throw await this.#refusal(name);
    const claim = await reservations.claim(name, reserved.holder);
    if (claim.holder !== reserved.holder) throw new NameTaken('another client holds the name');
    const undo = async (has: string | undefined): Promise<void> => {
      if (has === undefined || this.#streams(has).name !== name) await claim.undo();
    };
    return { clientId: claim.holder, undo };
  }

  /**
   * Reserves the new name of a registered client, and its skeleton. Answers a function that frees the old ones, unless any client, including this one, has reserved
   * them since. Throws {@link NameTaken}.
   */
  async exchange(from: string, to: string, clientId: ClientId): Promise<() => Promise<void>> {
    const [old, wanted] = [this.#streams(from), this.#streams(to)];
    const reservations = this.#reservations;
    const isOther = { name: old.name !== wanted.name, skeleton: old.skeleton !== wanted.skeleton };
    if (isOther.name) this.#assertNotReserved(to);
    const free = await this.#leave(old, wanted, clientId);
    const skeleton = isOther.skeleton ? await reservations.claim(wanted.skeleton, clientId, { again: true }) : undefined;
    if (skeleton && skeleton.holder !== clientId) throw await this.#refusal(wanted.name);
    const name = isOther.name ? await reservations.claim(wanted.name, clientId, { again: true }) : undefined;
    if (name && name.holder !== clientId) {
      await skeleton?.undo();
      throw new NameTaken('another client holds the name');
    }
    return free;
  }

  /** Answers a function that frees those of the old streams that the wanted name does not need. */
  async #leave(old: NameStreams, wanted: NameStreams, clientId: ClientId): Promise<() => Promise<void>> {
    const unneeded = [...(old.name === wanted.name ? [] : [old.name]), ...(old.skeleton === wanted.skeleton ? [] : [old.skeleton])];
    const leave = await Promise.all(unneeded.map((stream) => this.#reservations.leave(stream, clientId)));
    return async () => {
      for (const free of leave) await free();
    };
  }

  #assertNotReserved(wanted: string): void {
    const [{ name, skeleton }, own] = [this.#streams(wanted), this.#streams(this.own.name)];
    if (name === own.name) throw new NameTaken('the name of the own client of the service');
    if (skeleton === own.skeleton) throw NameTaken.lookAlike();
  }

  /** The error for a name whose skeleton another client holds. */
  async #refusal(name: StreamName): Promise<NameTaken> {
    return (await this.#reservations.holder(name)) === undefined ? NameTaken.lookAlike() : new NameTaken('another client holds the name');
  }

  #streams(name: string): NameStreams {
    // Names that differ in case, width or spaces only are the same name.
    const folded = name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ');
    return { name: this.#stream('client-name', folded), skeleton: this.#stream(`client-name-look-${RULES}`, skeletonOf(name)) };
  }

  #stream(purpose: string, text: string): StreamName {
    return CLIENT_NAMES.of(hmac(this.key.reveal(), purpose, text).toString('hex'));
  }
}

const nothing = async (): Promise<void> => {};
