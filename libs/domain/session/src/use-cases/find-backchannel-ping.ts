import type { ClientId, LocatingTokens, Sealer, SessionId } from '#kernel';

import type { SealedTerms } from '../domain/sealed-terms.js';
import type { Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';

/** What tells a client that a login without a browser is decided (CIBA Core section 10.2). */
export interface BackchannelPing {
  readonly authReqId: string;
  /** The client's own, of its request. */
  readonly token: string;
}

/** Finds how the client of a login wants to be told that it is decided. */
export class FindBackchannelPing {
  constructor(
    private readonly sessions: Pick<Sessions, 'find'>,
    private readonly authRequestIds: Pick<LocatingTokens, 'make'>,
    private readonly sealer: Pick<Sealer, 'open'>,
  ) {}

  /** Undefined where the client does not want to be told, or the login is no longer kept. */
  async execute(sessionId: SessionId, clientId: ClientId): Promise<BackchannelPing | undefined> {
    const session = await this.sessions.find(sessionId);
    if (!session?.terms.backchannel || session.terms.clientId !== clientId) return undefined;
    const { openid } = this.sealer.open<SealedTerms>(session.terms.sealed, sessionStream(sessionId));
    const token = openid?.notificationToken;
    return token === undefined ? undefined : { authReqId: this.authRequestIds.make(sessionId, session.createdEventId), token };
  }
}
