import type { SubjectNames } from '#domain/identity';
import { type IdentityId, parseId, type SubjectId } from '#kernel';

import type { AdminTokenRecords } from './admin-token-records.js';

/** The persons behind the named tokens. */
export class TokenMakers {
  constructor(
    private readonly records: Pick<AdminTokenRecords, 'all'>,
    /** Of the portal's own client. */
    private readonly names: Pick<SubjectNames, 'personOf'>,
  ) {}

  /**
   * The person whose request has made the token, whether or not it is valid now. Undefined for no token, for one that `ADMIN_TOKEN` has made, and for one of an erased person. Throws
   * ServiceUnavailable and NewerEventStored.
   */
  async personOf(tokenId: string): Promise<IdentityId | undefined> {
    const by = (await this.records.all()).find((token) => token.tokenId === tokenId)?.by;
    const maker = by === undefined ? undefined : parseId<SubjectId>(by);
    return maker && this.names.personOf(maker);
  }
}
