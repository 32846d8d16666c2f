import type { IdentityId } from '#kernel';

import { ErasureList } from '#domain/identity';

/** A list for tests that restart nothing. */
export class MemoryErasureList extends ErasureList {
  readonly entries = new Map<IdentityId, number>();

  override async add(identityId: IdentityId, erasedAt: number): Promise<void> {
    this.entries.set(identityId, erasedAt);
  }

  override async all(): Promise<ReadonlyMap<IdentityId, number>> {
    return new Map(this.entries);
  }

  override async close(): Promise<void> {}
}
