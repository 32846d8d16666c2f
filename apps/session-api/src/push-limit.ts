import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { RateLimited } from '#http';
import type { ClientId, SubjectId } from '#kernel';
import { PushLimit } from '#session';

/** So many pushes per client and subject in a window of so many seconds. */
export class MemoryPushLimit extends PushLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(
    private readonly pushes: number,
    seconds: number,
  ) {
    super();
    this.#limiter = new RateLimiterMemory({ points: pushes, duration: seconds });
  }

  override async take(clientId: ClientId, subjectId: SubjectId): Promise<void> {
    try {
      await this.#limiter.consume(`${clientId} ${subjectId}`);
    } catch (exceeded) {
      if (!(exceeded instanceof RateLimiterRes)) throw exceeded;
      throw new RateLimited('too many pushes to this subject', this.pushes, exceeded.msBeforeNext / 1000);
    }
  }
}
