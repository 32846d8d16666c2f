import type { Sealer, SessionId } from '#kernel';

import type { SealedScan, SigningStatement } from '../domain/sealed-terms.js';
import type { Scan } from '../domain/session.js';
import { sessionStream } from '../streams.js';
import type { SigningResults } from './signing-results.js';

/** The values that a device shows and signs, wherever they are stored. */
export type StoredStatement = SealedScan & { readonly toBeSigned: string } & Partial<SigningStatement>;

/** The statements of scanned sessions: of AUTHENTICATION in the session, of SIGNING with the result. */
export class Statements {
  constructor(
    private readonly results: SigningResults,
    private readonly sealer: Sealer,
  ) {}

  /** Undefined when the statement of a signature is not stored yet, or was erased. */
  async find(sessionId: SessionId, scan: Scan): Promise<StoredStatement | undefined> {
    const sealed = this.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId));
    if (sealed.toBeSigned !== undefined) return { ...sealed, toBeSigned: sealed.toBeSigned };
    const { statement } = await this.results.find(sessionId);
    return statement && { ...sealed, ...statement };
  }

  /** Stores the statement of a signature, and answers the one that is stored. Throws StreamTombstoned when the signature was erased. */
  async store(sessionId: SessionId, scan: Scan, statement: SigningStatement): Promise<StoredStatement> {
    const sealed = this.sealer.open<SealedScan>(scan.sealed, sessionStream(sessionId));
    return { ...sealed, ...(await this.results.prepare(sessionId, statement)) };
  }
}
