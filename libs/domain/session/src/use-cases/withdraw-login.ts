import type { LiveLogin } from './authorize-login.js';
import type { Sessions } from '../repositories/sessions.js';

/** The person cancels on the hosted page: the request is withdrawn (specification/login-ui.md#delete-session). */
export class WithdrawLogin {
  constructor(private readonly sessions: Sessions) {}

  /** Repeating it changes nothing. Throws SessionNotCancellable for a login that was confirmed or has ended otherwise. */
  async execute({ sessionId, session }: LiveLogin): Promise<void> {
    if (session.status === 'CANCELLED' && session.reason === 'WITHDRAWN') return;
    await this.sessions.handle(sessionId, { type: 'CancelSession', by: { clientId: session.terms.clientId }, reason: 'WITHDRAWN' });
  }
}
