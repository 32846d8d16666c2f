import { Secret, sha256Base64url } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { ADMIN_ROLES, FIRST_START } from '../domain/administrator.js';
import type { AdminToken } from '../domain/admin-token.js';
import { AuthenticateAdministrator } from './authenticate-administrator.js';

const clock = new FixedClock();
const ROUTES = ['GET /admin/v1/clients'];
const reach = { routes: ROUTES };
const token = (tokenId: string, changes: Partial<AdminToken> = {}): AdminToken =>
  ({
    tokenId,
    name: tokenId,
    role: 'support',
    routes: ROUTES,
    hash: sha256Base64url(tokenId),
    addedAt: 0,
    expiresAt: clock.now() + 1,
    ...changes,
  }) as AdminToken;

describe('the administrator of a token', () => {
  const authenticate = (
    given: string,
    tokens: readonly AdminToken[] | Error = [token('one'), token('two', { role: 'security' })],
    firstStart?: 'under way' | 'over',
  ) => {
    const all = async () => {
      if (tokens instanceof Error) throw tokens;
      return tokens;
    };
    return new AuthenticateAdministrator({
      records: { all },
      clock,
      firstStart: new Secret('first'),
      members: { isFirstStartOver: async () => firstStart === 'over' },
      guarded: firstStart !== undefined,
    }).execute(given);
  };

  it('is the holder of that token, with its role alone', async () => {
    expect(await authenticate('one')).toEqual({ id: 'one', roles: ['support'], reach });
    expect(await authenticate('two')).toEqual({ id: 'two', roles: ['security'], reach });
  });

  it('may do everything with the token of the first start, also while the store is unavailable', async () => {
    expect(await authenticate('first', new Error('no answer'))).toEqual({ id: FIRST_START, roles: ADMIN_ROLES });
    await expect(authenticate('one', new Error('no answer'))).rejects.toThrow('no answer');
  });

  it('of a guarded environment may lead to the first administrators with that token, and nothing once they are there', async () => {
    expect(await authenticate('first', [], 'under way')).toEqual({ id: FIRST_START, roles: ADMIN_ROLES, firstStartOnly: true });
    expect(await authenticate('first', [], 'over')).toBeUndefined();
    expect(await authenticate('one', [token('one')], 'over')).toMatchObject({ id: 'one' });
  });

  it('reaches the relying parties of the token alone', async () => {
    const clients = ['2d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e12'] as unknown as AdminToken['clients'];
    expect(await authenticate('one', [token('one', { clients: clients! })])).toMatchObject({ reach: { routes: ROUTES, clients } });
  });

  it.each<readonly [string, string, readonly AdminToken[]]>([
    ['unknown', 'three', [token('one')]],
    ['empty', '', [token('one')]],
    ['given by its hash', sha256Base64url('one'), [token('one')]],
    ['at its end', 'one', [token('one', { expiresAt: clock.now() })]],
    ['revoked', 'one', [token('one', { revokedAt: 1 })]],
    ['stored without routes', 'one', [token('one', { routes: undefined as unknown as readonly string[] })]],
    ['compared with a broken hash', 'one', [token('one', { hash: '' })]],
  ])('is not found when the token is %s', async (_, given, tokens) => {
    expect(await authenticate(given, tokens)).toBeUndefined();
  });

  it('is found by the valid one of two tokens of one text', async () => {
    const tokens = [token('one', { revokedAt: 1 }), token('one', { role: 'read' })];
    expect(await authenticate('one', tokens)).toEqual({ id: 'one', roles: ['read'], reach });
  });
});
