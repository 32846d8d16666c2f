import { createHash } from 'node:crypto';

import { Secret, SystemRandomness } from '#kernel';

import { clientSecretHash, newClientSecret } from './client-secret.js';

describe('a client secret', () => {
  it('is 256 random bits', () => {
    const asked: number[] = [];
    const randomness = new SystemRandomness();
    const bytes = randomness.bytes.bind(randomness);
    randomness.bytes = (length) => (asked.push(length), bytes(length));
    const secrets = Array.from({ length: 20 }, () => newClientSecret(randomness).reveal());
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
    expect(new Set(secrets).size).toBe(20);
    expect(new Set(asked)).toEqual(new Set([32]));
  });

  it('is stored as the SHA-256 of its text', () => {
    expect(clientSecretHash(new Secret('pässword'))).toBe(createHash('sha256').update('pässword').digest('base64url'));
  });
});
