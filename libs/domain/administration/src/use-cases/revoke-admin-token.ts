import type { Clock } from '#kernel';

import type { AdminTokenId } from '../domain/admin-token.events.js';
import type { AdminTokenRecords } from '../repositories/admin-token-records.js';

export class RevokeAdminToken {
  constructor(
    private readonly records: AdminTokenRecords,
    private readonly clock: Clock,
  ) {}

  /** No replica accepts the token when this resolves. Repeating it changes nothing. Throws {@link AdminTokenNotFound}. */
  execute(tokenId: AdminTokenId): Promise<void> {
    return this.records.handle({ type: 'RevokeAdminToken', now: this.clock.now(), tokenId });
  }
}
