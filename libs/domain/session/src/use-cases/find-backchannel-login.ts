import type { ClientId, LocatingTokens, SessionId } from '#kernel';

import type { SessionStatus } from '../domain/session.js';
import { InvalidGrant } from '../domain/session.errors.js';
import type { Sessions } from '../repositories/sessions.js';

export interface FoundBackchannelLogin {
  readonly sessionId: SessionId;
  readonly status: SessionStatus;
}

/** Finds the login without a browser that a client has begun, by the id of its request (`auth_req_id`). Nothing is decided. */
export class FindBackchannelLogin {
  constructor(
    private readonly sessions: Pick<Sessions, 'find'>,
    private readonly authRequestIds: Pick<LocatingTokens, 'parse' | 'verify'>,
  ) {}

  /** Throws InvalidGrant: unknown, forged, another client's, or no longer kept. */
  async execute(authReqId: string, clientId: ClientId): Promise<FoundBackchannelLogin> {
    const claim = this.authRequestIds.parse(authReqId);
    const sessionId = claim?.id as SessionId | undefined;
    const session = sessionId && (await this.sessions.find(sessionId));
    if (!claim || !sessionId || !session) throw new InvalidGrant('not the id of a request');
    if (!this.authRequestIds.verify(claim, session.createdEventId)) throw new InvalidGrant('forged');
    if (!session.terms.backchannel || session.terms.clientId !== clientId) throw new InvalidGrant('another client');
    return { sessionId, status: session.status };
  }
}
