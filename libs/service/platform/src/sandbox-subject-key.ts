import { createHash } from 'node:crypto';

/**
 * The subject key that the first start of a sandbox makes, so that its persons have the same subjectIds everywhere (specification/sandbox.md#what-is-there-from-the-start). It is public:
 * its file is marked as made for development, and a guarded environment refuses it.
 */
export const SANDBOX_SUBJECT_KEY = createHash('sha256').update('the subject key of every sandbox').digest();
