import { FixedClock, Secret, sha256Base64url } from '#kernel';

import { ADMIN_ROLES, FIRST_START } from '../domain/administrator.js';
import type { AdminToken } from '../domain/admin-token.js';
import type { AdminTokenRecords } from '../repositories/admin-token-records.js';
import { AuthenticateAdministrator } from './authenticate-administrator.js';

const clock = new FixedClock();
const token = (tokenId: string, changes: Partial<AdminToken> = {}): AdminToken =>
  ({ tokenId, name: tokenId, role: 'support', hash: sha256Base64url(tokenId), addedAt: 0, expiresAt: clock.now() + 1, ...changes }) as AdminToken;

describe('the administrator of a token', () => {
  const authenticate = (given: string, tokens: readonly AdminToken[] | Error = [token('one'), token('two', { role: 'security' })]) => {
    const all = async () => {
      if (tokens instanceof Error) throw tokens;
      return tokens;
    };
    return new AuthenticateAdministrator({ all } as unknown as AdminTokenRecords, clock, new Secret('first')).execute(given);
  };

  it('is the holder of that token, with its role alone', async () => {
    expect(await authenticate('one')).toEqual({ id: 'one', roles: ['support'] });
    expect(await authenticate('two')).toEqual({ id: 'two', roles: ['security'] });
  });

  it('may do everything with the token of the first start, also while the store is unavailable', async () => {
    expect(await authenticate('first', new Error('no answer'))).toEqual({ id: FIRST_START, roles: ADMIN_ROLES });
    await expect(authenticate('one', new Error('no answer'))).rejects.toThrow('no answer');
  });

  it.each<readonly [string, string, readonly AdminToken[]]>([
    ['unknown', 'three', [token('one')]],
    ['empty', '', [token('one')]],
    ['given by its hash', sha256Base64url('one'), [token('one')]],
    ['at its end', 'one', [token('one', { expiresAt: clock.now() })]],
    ['revoked', 'one', [token('one', { revokedAt: 1 })]],
    ['compared with a broken hash', 'one', [token('one', { hash: '' })]],
  ])('is not found when the token is %s', async (_, given, tokens) => {
    expect(await authenticate(given, tokens)).toBeUndefined();
  });

  it('is found by the valid one of two tokens of one text', async () => {
    const tokens = [token('one', { revokedAt: 1 }), token('one', { role: 'read' })];
    expect(await authenticate('one', tokens)).toEqual({ id: 'one', roles: ['read'] });
  });
});
