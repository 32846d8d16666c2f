import type { SubjectNames } from '#domain/identity';
import { parseId, type SubjectId } from '#kernel';

import { type Administrator, FIRST_START } from '../domain/administrator.js';
import type { AdminTokenRecords } from '../repositories/admin-token-records.js';

/** Finds the administrator behind a token or a session, so that a person with several of them counts once. */
export class FindApprover {
  constructor(
    private readonly records: Pick<AdminTokenRecords, 'all'>,
    private readonly names: Pick<SubjectNames, 'ofSubject'>,
  ) {}

  /**
   * A name that counts once for four eyes. A token counts as the administrator who made it, because that administrator received its text; those of ADMIN_TOKEN, and of releases that
   * kept no maker, count as themselves. A person counts once before and after a rotation of the subject key.
   */
  async execute({ id }: Pick<Administrator, 'id'>): Promise<string> {
    const tokens = id === FIRST_START ? [] : await this.records.all();
    let found = id;
    for (let token = tokens.find(({ tokenId }) => tokenId === found); token; token = tokens.find(({ tokenId }) => tokenId === found)) {
      if (token.by === undefined || token.by === FIRST_START) return found;
      found = token.by;
    }
    const subjectId = parseId<SubjectId>(found);
    return (subjectId && (await this.names.ofSubject(subjectId))[0]) ?? found;
  }
}
