import { SessionAlreadyScanned, SessionEnded } from '../domain/session.errors.js';
import type { PushStatus } from '../domain/session.events.js';
import type { PushLimit } from '../push-limit.js';
import type { LiveLogin } from './authorize-login.js';
import type { PushSession } from './push-session.js';

/** The person asks the hosted page to send the request to the phone once more (specification/login-ui.md#post-push). */
export class PushLoginAgain {
  constructor(
    private readonly pushSession: PushSession,
    private readonly pushLimit: PushLimit,
  ) {}

  /**
   * NO_DEVICE: nothing was sent. A login that was never pushed answers its own status. Throws SessionAlreadyScanned, SessionEnded and RateLimited:
   * it counts as a push of the client.
   */
  async execute({ sessionId, session }: LiveLogin): Promise<PushStatus> {
    if (session.status === 'EXPIRED' || session.status === 'CANCELLED') throw new SessionEnded(`session is ${session.status}`);
    if (session.status !== 'PENDING') throw new SessionAlreadyScanned('a phone has it');
    const { clientId, subjectId, pushStatus } = session.terms;
    if (pushStatus !== 'DISPATCHED' || subjectId === undefined) return pushStatus;
    await this.pushLimit.take(clientId, subjectId);
    if (!(await this.pushSession.canReach(clientId, subjectId))) return 'NO_DEVICE';
    await this.pushSession.again(sessionId, session.terms);
    return 'DISPATCHED';
  }
}
