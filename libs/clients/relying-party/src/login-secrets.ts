import { hkdfSync } from 'node:crypto';

import { newCodeVerifier } from './pkce.js';
import { newState } from './state.js';

export interface LoginSecrets {
  readonly state: string;
  readonly codeVerifier: string;
}

/** Random secrets, for a login that is begun once. */
export const newLoginSecrets = (): LoginSecrets => ({ state: newState(), codeVerifier: newCodeVerifier() });

/**
 * The secrets of a login that the caller may begin again under the same idempotency key: the repetition has to send the same
 * `state` and challenge. They cannot be computed from the key without the client secret.
 */
export const repeatableLoginSecrets = (clientSecret: string, idempotencyKey: string): LoginSecrets => ({
  state: derive(clientSecret, `state ${idempotencyKey}`),
  codeVerifier: derive(clientSecret, `code_verifier ${idempotencyKey}`),
});

/** RFC 5869. */
const derive = (clientSecret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', clientSecret, '', `countersign ${purpose}`, 32)).toString('base64url');
