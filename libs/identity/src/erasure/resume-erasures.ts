import type { IdentityId } from '#kernel';
import { type EventStore, history } from '#event-store';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { EraseIdentity } from './erase-identity.js';

/** At start: takes up the erasures that a crash broke off. */
export class ResumeErasures {
  constructor(
    private readonly store: EventStore,
    private readonly eraseIdentity: EraseIdentity,
  ) {}

  /** How many there were. */
  async execute(): Promise<number> {
    const open = await this.#open();
    for (const identityId of open) {
      await this.eraseIdentity.execute(identityId).catch((error: unknown) => {
        if (!(error instanceof IdentityNotFound)) throw error; // another replica was quicker
      });
    }
    return open.size;
  }

  async #open(): Promise<ReadonlySet<IdentityId>> {
    const open = new Set<IdentityId>();
    for await (const { type, stream } of history(this.store, ['identity'])) {
      const identityId = stream.slice('identity-'.length) as IdentityId;
      if (type === 'IdentityErased') open.add(identityId);
      if (type === 'ErasureCompleted') open.delete(identityId);
    }
    return open;
  }
}
