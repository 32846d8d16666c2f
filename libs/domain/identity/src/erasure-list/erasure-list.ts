import type { IdentityId, MacRefusal } from '#kernel';

/**
 * What is wrong with a line of the list. A {@link MacRefusal}: the service has not written the line, which counts for nothing. `repeated`, `moved`: it is genuine and stands a second time, or
 * before the line that it followed. `missing`: the line that it followed is gone, or one that this process knows.
 */
export interface ListFault {
  readonly reason: MacRefusal | 'repeated' | 'moved' | 'missing';
  /** As the line names the person: any text. */
  readonly identityId: string;
  /** Epoch milliseconds, as the line says. */
  readonly erasedAt: number;
  /** Where the line stands, for people. */
  readonly place: string;
}

export interface ListedErasures {
  /** The persons whom the service has listed, with the time of their erasure in epoch milliseconds. */
  readonly entries: ReadonlyMap<IdentityId, number>;
  readonly faults: readonly ListFault[];
}

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

  /** Every entry whose `add` has resolved, in any process, and what is wrong with the list. Throws ServiceUnavailable. */
  abstract read(): Promise<ListedErasures>;

  /** The entries alone. Throws ServiceUnavailable. */
  async all(): Promise<ReadonlyMap<IdentityId, number>> {
    return (await this.read()).entries;
  }

  abstract close(): Promise<void>;
}
