import type { Clock, IdentityId } from '#kernel';
import { KeyedQueue } from '#event-store';

import type { Identities } from '../use-cases/identities.js';
import type { ErasureStep } from './erasure-step.js';

export class EraseIdentity {
  readonly #queue = new KeyedQueue();

  constructor(
    private readonly identities: Identities,
    /** In this order. */
    private readonly steps: readonly ErasureStep[],
    private readonly clock: Clock,
  ) {}

  /**
   * Erases a person for good: first the fact, which closes every door, then all that is stored. Repeating it takes up
   * an erasure that was broken off. Throws {@link IdentityNotFound} when there is nobody to erase.
   */
  execute(identityId: IdentityId): Promise<void> {
    return this.#queue.run(identityId, async () => {
      await this.identities.handle(identityId, () => ({ type: 'EraseIdentity', now: this.clock.now() }));
      for (const step of this.steps) await step(identityId);
      await this.identities.handle(identityId, () => ({ type: 'CompleteErasure', now: this.clock.now() }));
    });
  }
}
