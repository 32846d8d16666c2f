import type { IdentityId } from '#kernel';

import type { Sessions } from './sessions.js';
import type { SigningLog } from './signing-log.js';
import type { SigningResults } from './signing-results.js';

/** What sessions hold of a person who is erased: signatures under way are cancelled, results that lie ready go. */
export class EraseSignings {
  constructor(
    private readonly log: SigningLog,
    private readonly sessions: Sessions,
    private readonly results: SigningResults,
  ) {}

  /** May be repeated until all is done. */
  async execute(identityId: IdentityId): Promise<void> {
    for (const sessionId of await this.log.sessions(identityId)) {
      await this.sessions.handle(sessionId, { type: 'AbandonSigning', reason: 'ERASED' });
      await this.results.discard(sessionId);
    }
    await this.log.erase(identityId);
  }
}
