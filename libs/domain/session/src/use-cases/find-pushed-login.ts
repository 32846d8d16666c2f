import type { ClientId, Clock, LocatingTokens, SessionId } from '#kernel';

import type { Sessions } from '../repositories/sessions.js';

/** Finds the login that a client has pushed (RFC 9126), by its handoff token. Nothing is decided: the claim of the hosted page is. */
export class FindPushedLogin {
  constructor(
    private readonly sessions: Pick<Sessions, 'find'>,
    private readonly handoffTokens: Pick<LocatingTokens, 'parse' | 'verify'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the login waits for its page or the phone, and is this client's. A browser that loads its address anew comes back here, so a login that was claimed is still open; the
   * claim tells whose it is (FAPI 2.0 Security Profile section 5.3.2.2).
   */
  async execute(handoffToken: string, clientId: ClientId): Promise<boolean> {
    const claim = this.handoffTokens.parse(handoffToken);
    const session = claim && (await this.sessions.find(claim.id as SessionId));
    if (!session || !this.handoffTokens.verify(claim, session.createdEventId)) return false;
    const { terms, status } = session;
    const isOpen = (status === 'PENDING' || status === 'SCANNED') && this.clock.now() < (terms.handoffExpiresAt ?? 0);
    return isOpen && terms.issuer === true && terms.clientId === clientId;
  }
}
