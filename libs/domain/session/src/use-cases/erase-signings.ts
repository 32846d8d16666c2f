import type { IdentityId } from '#kernel';

import type { Sessions } from '../repositories/sessions.js';
import type { SigningLog } from '../repositories/signing-log.js';
import type { SigningResults } from '../repositories/signing-results.js';

/** Part of a person's erasure: cancels the signatures under way and erases the stored results. */
export class EraseSignings {
  constructor(
    private readonly log: SigningLog,
    private readonly sessions: Sessions,
    private readonly results: SigningResults,
  ) {}

  /** May be repeated until it succeeds. */
  async execute(identityId: IdentityId): Promise<void> {
    for (const sessionId of await this.log.sessions(identityId)) {
      await this.sessions.handle(sessionId, { type: 'AbandonSigning', reason: 'ERASED' });
      await this.results.discard(sessionId);
    }
    await this.log.erase(identityId);
  }
}
