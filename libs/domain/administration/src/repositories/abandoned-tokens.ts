import type { SubjectNames } from '#domain/identity';
import { type Clock, parseId, type SubjectId } from '#kernel';

import { type AdminToken, isValid } from '../domain/admin-token.js';
import type { AdminTokenId } from '../domain/admin-token.events.js';
import type { AdminTokenRecords } from './admin-token-records.js';
import type { PortalMembers } from './portal-members.js';

export interface AbandonedTokensParts {
  readonly records: Pick<AdminTokenRecords, 'all'>;
  readonly members: Pick<PortalMembers, 'team'>;
  /** Of the portal's own client. */
  readonly names: Pick<SubjectNames, 'ofSubject'>;
  readonly clock: Clock;
  /** Told once by each process of a token that has outlived its maker. */
  readonly alarm: (tokenId: AdminTokenId) => void;
}

/** The valid tokens whose maker has left the staff, or was erased. They go on, since they belong to machines, but somebody has to answer for them (specification/admin.md#machine-tokens). */
export class AbandonedTokens {
  readonly #told = new Set<AdminTokenId>();

  constructor(private readonly parts: AbandonedTokensParts) {}

  /** Throws ServiceUnavailable and NewerEventStored. */
  async find(): Promise<ReadonlySet<AdminTokenId>> {
    const { records, members, clock } = this.parts;
    const [tokens, staff] = await Promise.all([records.all(), members.team(undefined)]);
    const present = new Set<SubjectId>(staff.members.map(({ subjectId }) => subjectId));
    const abandoned = new Set<AdminTokenId>();
    for (const token of tokens) if (isValid(token, clock.now()) && (await this.#hasLeft(token, present))) abandoned.add(token.tokenId);
    return abandoned;
  }

  /** One look of a running service: raises the alarm for each that it finds first, and answers how many there are. */
  async watch(): Promise<number> {
    const abandoned = await this.find();
    for (const tokenId of abandoned) {
      if (this.#told.has(tokenId)) continue;
      this.#told.add(tokenId);
      this.parts.alarm(tokenId);
    }
    return abandoned.size;
  }

  /** `ADMIN_TOKEN` has made tokens as well, and leaves with the first start. */
  async #hasLeft({ by }: AdminToken, present: ReadonlySet<SubjectId>): Promise<boolean> {
    const maker = parseId<SubjectId>(by);
    return maker !== undefined && !(await this.parts.names.ofSubject(maker)).some((name) => present.has(name));
  }
}
