import type { IdentityId } from '#kernel';

const PERSON = 'person:';

/** The name of a person among those who have issued or approved an activation code. Tokens stand there by their ids. */
export const enrollerName = (identityId: IdentityId): string => `${PERSON}${identityId}`;

/** The person of such a name; undefined for a token. */
export const personOfEnroller = (name: string): IdentityId | undefined =>
  name.startsWith(PERSON) ? (name.slice(PERSON.length) as IdentityId) : undefined;
