import type { Clock, IdentityId } from '#kernel';

import type { Identities } from '../repositories/identities.js';
import type { ErasureStep } from './erasure-step.js';

/** A person whose sessions are still stored. Times in epoch milliseconds. */
export interface ErasedPerson {
  readonly identityId: IdentityId;
  readonly erasedAt: number;
}

/**
 * Erases the sessions of these persons whose status is no longer read. Answers the persons who have none left. May be repeated. Rejects
 * when the signal ends it.
 */
export type SessionErasure = (persons: readonly ErasedPerson[], signal: AbortSignal) => Promise<ReadonlySet<IdentityId>>;

/** The last part of an erasure, minutes after the rest: the sessions of erased persons. */
export class EraseSessions {
  constructor(
    private readonly identities: Identities,
    private readonly erase: SessionErasure,
    /** Repeated: a token exchange that ran during the erasure may have linked a subjectId after it, for example. */
    private readonly again: readonly ErasureStep[],
    private readonly clock: Clock,
  ) {}

  /** May be repeated, and run by several processes at once. */
  async execute(persons: readonly ErasedPerson[], signal: AbortSignal): Promise<void> {
    for (const identityId of await this.erase(persons, signal)) {
      for (const step of this.again) await step(identityId);
      await this.identities.handle(identityId, () => ({ type: 'CompleteSessionErasure', now: this.clock.now() }));
    }
  }
}
