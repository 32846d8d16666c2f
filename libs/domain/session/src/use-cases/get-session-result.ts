import { type ClientId, InvalidRequest } from '#kernel';

import type { SigningResult } from '../domain/sealed-terms.js';
import { NotSigned, SessionNotFound } from '../domain/session.errors.js';
import { ownSession } from '../repositories/own-session.js';
import type { Sessions } from '../repositories/sessions.js';
import type { SigningResults } from '../repositories/signing-results.js';

/** GET result: the finished container of a signing session, repeatable until its retention ends. */
export class GetSessionResult {
  constructor(
    private readonly sessions: Sessions,
    private readonly results: SigningResults,
  ) {}

  /** Throws SessionNotFound; InvalidRequest for an authentication session; NotSigned. */
  async execute(sessionId: string, clientId: ClientId): Promise<SigningResult> {
    const { sessionId: id, session } = await ownSession(this.sessions, sessionId, clientId);
    if (session.terms.signatureType !== 'SIGNING') {
      throw new InvalidRequest('an AUTHENTICATION session has no result; exchange its code for the subjectId instead');
    }
    if (session.status !== 'COMPLETED') throw new NotSigned(`session is ${session.status}`);
    const result = await this.results.read(id);
    if (!result) throw new SessionNotFound('the result was erased');
    return result;
  }
}
