import { hash } from 'node:crypto';

/** Characters of the digest: enough that no random token has that of another text by chance. */
const LENGTH = 16;

/** The name of a text in the list of those that documents show. Case and punctuation make no difference. */
export const shownTokenDigest = (text: string): string => hash('sha256', text.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'hex').slice(0, LENGTH);
