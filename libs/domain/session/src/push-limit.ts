import type { ClientId, Clock, IdentityId, SubjectId } from '#kernel';
import { beyondLimit, type Limit, RateLimited, type RateLimits } from '#engines/rate-limit';
import { type PersonLimitsRecords, type ResolveSubject, waitAfterDecline } from '#domain/identity';

export interface PushLimitParts {
  readonly rateLimits: RateLimits;
  readonly resolveSubject: Pick<ResolveSubject, 'execute' | 'nameOf'>;
  readonly personLimits: Pick<PersonLimitsRecords, 'of'>;
  readonly clock: Clock;
  /** Windows and waits in seconds. */
  readonly settings: {
    readonly pushLimit: number;
    readonly pushPersonLimit: number;
    readonly pushLimitWindow: number;
    readonly pushDeclineWait: number;
  };
}

/** Limits how often clients push sessions, so that none of them, and not all together, can tire a person into approving (specification/sessions.md#push). */
export class PushLimit {
  readonly #ofClient: Limit;
  readonly #ofPerson: Limit;

  constructor(private readonly parts: PushLimitParts) {
    const { pushLimit, pushPersonLimit, pushLimitWindow: seconds } = parts.settings;
    this.#ofClient = { name: 'pushes', times: pushLimit, seconds };
    this.#ofPerson = { name: 'pushes-of-person', times: pushPersonLimit, seconds };
  }

  /**
   * Counts one push of the client to the subject. Throws RateLimited when the client has sent the subject too many within the window, and while it has to wait since the person has declined
   * one of its pushed sessions.
   */
  async take(clientId: ClientId, subjectId: SubjectId): Promise<void> {
    const { rateLimits, resolveSubject, personLimits, clock, settings } = this.parts;
    const identityId = await resolveSubject.execute(clientId, subjectId);
    const first = settings.pushDeclineWait * 1_000;
    const wait = identityId ? waitAfterDecline(await personLimits.of(identityId), clientId, { now: clock.now(), first }) : 0;
    if (wait > 0) throw new RateLimited('the person has declined a push of this client', this.#ofClient.times, wait / 1_000);
    const name = await resolveSubject.nameOf(clientId, subjectId);
    await rateLimits.take(this.#ofClient, `${clientId} ${name}`, 'too many pushes to this subject');
  }

  /**
   * Counts one push to the person, by whichever client, and answers whether it may wake the phones. The client gets the same answer either way, so it learns nothing of
   * other clients.
   */
  async mayWake(identityId: IdentityId): Promise<boolean> {
    return (await beyondLimit(this.parts.rateLimits.take(this.#ofPerson, identityId, 'too many pushes to this person'))) === undefined;
  }
}
