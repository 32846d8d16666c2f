import { createHash } from 'node:crypto';

import { Secret } from '#kernel';

const fixed = (name: string): Buffer => createHash('sha256').update(name).digest();

/**
 * The subject key that the first start of a sandbox makes, so that its persons have the same subjectIds everywhere (specification/sandbox.md#what-is-there-from-the-start). It is public:
 * its file is marked as made for development, and a guarded environment refuses it.
 */
export const SANDBOX_SUBJECT_KEY = fixed('the subject key of every sandbox');

/** Signs the webhooks that a sandbox records for clients without an endpoint (specification/sandbox.md#webhooks). It is public, and no endpoint has it. */
export const SANDBOX_WEBHOOK_SECRET = new Secret(`whsec_${fixed('the webhook secret of every sandbox').toString('base64')}`);
