import type { Limit, RateLimits } from '#http';
import type { ClientId, SubjectId } from '#kernel';
import { PushLimit } from '#session';

/** So many pushes per client and subject in a window of so many seconds. */
export class CountedPushLimit extends PushLimit {
  readonly #limit: Limit;

  constructor(
    private readonly limits: RateLimits,
    times: number,
    seconds: number,
  ) {
    super();
    this.#limit = { name: 'pushes', times, seconds };
  }

  override take(clientId: ClientId, subjectId: SubjectId): Promise<void> {
    return this.limits.take(this.#limit, `${clientId} ${subjectId}`, 'too many pushes to this subject');
  }
}
