import type { ClientId, Clock } from '#kernel';
import { type Client, type ClientKey, publishedKeysIn } from '#domain/relying-party';
import type { GuardedGet } from '#domain/webhook';

import type { KeyChoice } from './key-choice.js';

/** Milliseconds for which a copy is used before it is fetched anew. A key that the client takes out of its document ends in this time. */
const FRESH = 300_000;
/** Milliseconds for which the last copy serves while its host does not answer. */
const KEPT = 3_600_000;
/** Milliseconds between two fetches for keys that a copy lacks, and after one that failed. Whoever sends assertions has shown no credential yet. */
const REST = 10_000;
/** Copies of one process, each of at most 10 keys. */
const MOST_COPIES = 1_000;

interface Copy {
  readonly clientId: ClientId;
  readonly uri: string;
  keys: readonly ClientKey[];
  /** When the fetch of the keys began, and the last fetch of all. Monotonic milliseconds. */
  readAt: number;
  askedAt: number;
  /** Until then a copy that lacks a key, or could not be fetched, is not fetched. */
  restsUntil: number;
  /** The fetch that is under way, for all who wait for it. */
  fetching: Promise<void> | undefined;
}

export interface ClientKeySetsParts {
  readonly get: Pick<GuardedGet, 'read'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Told of each fetch that gave no keys, and why. Default: nobody. */
  readonly keysMissed?: (clientId: ClientId, reason: string) => void;
}

/** The keys by which clients prove themselves: those that are registered, or copies of those that they publish at their `jwks_uri`. */
export class ClientKeySets {
  /** The one that was used last stands last. */
  readonly #copies = new Map<ClientId, Copy>();

  constructor(private readonly parts: ClientKeySetsParts) {}

  /**
   * The key that `choose` takes from the client's keys. It is asked again of a newer copy where it finds none, unless the copy was fetched for such a reason in the last ten
   * seconds. Undefined also where the client's host does not answer.
   */
  async find(client: Client, choose: KeyChoice): Promise<ClientKey | undefined> {
    const { jwks, jwksUri } = client;
    if (!jwksUri) return choose(jwks?.keys ?? []);
    const copy = this.#copyOf(client.clientId, jwksUri);
    const began = this.#now();
    if (began - copy.readAt >= FRESH && began >= copy.restsUntil) await this.#renew(copy);
    const key = choose(this.#keysIn(copy));
    if (key || (!copy.fetching && copy.askedAt >= began)) return key;
    // A fetch that is under way may have begun before the client published the key.
    if (copy.fetching) {
      await copy.fetching;
      const found = choose(this.#keysIn(copy));
      if (found) return found;
    }
    if (!copy.fetching) {
      if (this.#now() < copy.restsUntil) return undefined;
      copy.restsUntil = this.#now() + REST;
    }
    await this.#renew(copy);
    return choose(this.#keysIn(copy));
  }

  #copyOf(clientId: ClientId, uri: string): Copy {
    const known = this.#copies.get(clientId);
    const copy = known?.uri === uri ? known : newCopy(clientId, uri);
    this.#copies.delete(clientId);
    this.#copies.set(clientId, copy);
    const [oldest] = this.#copies.keys();
    if (this.#copies.size > MOST_COPIES && oldest !== undefined) this.#copies.delete(oldest);
    return copy;
  }

  #keysIn({ keys, readAt }: Copy): readonly ClientKey[] {
    return this.#now() - readAt < KEPT ? keys : [];
  }

  /** Calls at the same time wait for one fetch. */
  #renew(copy: Copy): Promise<void> {
    return (copy.fetching ??= this.#renewOnce(copy).finally(() => (copy.fetching = undefined)));
  }

  async #renewOnce(copy: Copy): Promise<void> {
    const began = (copy.askedAt = this.#now());
    const outcome = await this.parts.get.read(copy.uri);
    const keys = 'document' in outcome ? publishedKeysIn(outcome.document.toString()) : undefined;
    if (keys) return void Object.assign(copy, { keys, readAt: began });
    copy.restsUntil = Math.max(copy.restsUntil, this.#now() + REST);
    this.parts.keysMissed?.(copy.clientId, 'error' in outcome ? outcome.error : 'no_key_set');
  }

  #now(): number {
    return this.parts.clock.monotonic();
  }
}

const newCopy = (clientId: ClientId, uri: string): Copy => ({
  clientId,
  uri,
  keys: [],
  readAt: -Infinity,
  askedAt: -Infinity,
  restsUntil: -Infinity,
  fetching: undefined,
});
