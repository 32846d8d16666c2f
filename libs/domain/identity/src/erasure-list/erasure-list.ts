import type { IdentityId } from '#kernel';

/**
 * The erased persons, kept outside of the event store and of its backups: after the store was restored from an older copy, the list names the persons to
 * erase again (docs/adr/0015). It holds random ids and times, nothing personal. `erasure-list.contract.ts` tests each promise.
 */
export abstract class ErasureList {
  /**
   * Resolves when the entry is safe: on disk, or on a majority of the brokers. Repeating it changes nothing but the time. `erasedAt`: epoch
   * milliseconds. Throws ServiceUnavailable; the entry may be stored all the same.
   */
  abstract add(identityId: IdentityId, erasedAt: number): Promise<void>;

  /** Every entry whose `add` has resolved, in any process, with the time of its erasure. Throws ServiceUnavailable. */
  abstract all(): Promise<ReadonlyMap<IdentityId, number>>;

  abstract close(): Promise<void>;
}
