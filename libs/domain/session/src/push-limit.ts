import type { ClientId, SubjectId } from '#kernel';
import type { Limit, RateLimits } from '#engines/rate-limit';

/** Limits how often one client may push sessions to one subject, so that a client cannot tire a person (specification/sessions.md#push). */
export class PushLimit {
  readonly #limit: Limit;

  constructor(
    private readonly limits: RateLimits,
    { times, seconds }: Omit<Limit, 'name'>,
  ) {
    this.#limit = { name: 'pushes', times, seconds };
  }

  /** Counts one push. Throws RateLimited when the client has sent the subject too many within the window. */
  take(clientId: ClientId, subjectId: SubjectId): Promise<void> {
    return this.limits.take(this.#limit, `${clientId} ${subjectId}`, 'too many pushes to this subject');
  }
}
