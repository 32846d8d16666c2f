import type { IdentityId } from '#kernel';

import { ErasureList, type ListedErasures, type ListFault } from '#domain/identity';

/** A list for tests that restart nothing. */
export class MemoryErasureList extends ErasureList {
  readonly entries = new Map<IdentityId, number>();
  /** What the next readings find wrong. */
  faults: readonly ListFault[] = [];

  override async add(identityId: IdentityId, erasedAt: number): Promise<void> {
    this.entries.set(identityId, erasedAt);
  }

  override async read(): Promise<ListedErasures> {
    return { entries: new Map(this.entries), faults: this.faults };
  }

  override async close(): Promise<void> {}
}
