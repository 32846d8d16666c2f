import { type Clock, type IdentityId, KeyedQueue } from '#kernel';

import type { Identities } from '../repositories/identities.js';
import type { ErasureStep } from './erasure-step.js';

export class EraseIdentity {
  readonly #queue = new KeyedQueue();

  constructor(
    private readonly identities: Identities,
    /** Run in this order. */
    private readonly steps: readonly ErasureStep[],
    private readonly clock: Clock,
  ) {}

  /**
   * Erases a person permanently. The event IdentityErased comes first: from then on the person counts as erased everywhere. The
   * stored data is erased after it. Repeating it resumes an interrupted erasure. Throws {@link IdentityNotFound} for an unknown person and
   * for one whose erasure is complete.
   *
   * @param by the administrator who asks
   */
  execute(identityId: IdentityId, by?: string): Promise<void> {
    return this.#queue.run(identityId, async () => {
      await this.identities.handle(identityId, () => ({ type: 'EraseIdentity', now: this.clock.now(), ...(by !== undefined && { by }) }));
      for (const step of this.steps) await step(identityId);
      await this.identities.handle(identityId, () => ({ type: 'CompleteErasure', now: this.clock.now() }));
    });
  }
}
