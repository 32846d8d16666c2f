import { type IdentityId, sha256Base64url } from '#kernel';

import { type SecurityParts, securityPersons } from '../repositories/security-persons.js';

const LINE = 'security';

/** The lines of a checkpoint that say who may accept a loss: a hash of the person's id, and the portal's ids of the phones. */
export const securityLines = async (parts: SecurityParts): Promise<readonly string[]> =>
  (await securityPersons(parts)).map(({ identityId, phoneIds }) => [LINE, nameOf(identityId), ...phoneIds].join(' '));

/** The portal's ids of the phones by which the person could act when these lines were signed. */
export const phonesIn = (lines: readonly string[], identityId: IdentityId): readonly string[] =>
  lines
    .map((line) => line.split(' '))
    .filter(([word, name]) => word === LINE && name === nameOf(identityId))
    .flatMap(([, , ...phoneIds]) => phoneIds);

const nameOf = (identityId: IdentityId): string => sha256Base64url(`security ${identityId}`);
