import { readFile } from 'node:fs/promises';

import { InvalidRequest, type Stored } from '#kernel';

import { type AdminTokenCommand, type AdminTokens, adminTokenDecider, isValid } from './admin-token.js';
import { AdminTokenNameTaken, AdminTokenNotFound } from './admin-token.errors.js';
import { ADMIN_TOKEN_EVENTS, type AdminTokenEvent, type AdminTokenId } from './admin-token.events.js';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 3_600_000;
const ID = '0d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e10' as AdminTokenId;
const OTHER = '1d5e1d0a-30c4-4d0a-8f43-1c2a7d3f9e11' as AdminTokenId;
const HASH = 'hash';

const after = (...events: readonly AdminTokenEvent[]): AdminTokens =>
  events.reduce<AdminTokens>((state, event) => adminTokenDecider.evolve(state, { ...event, id: '' }), adminTokenDecider.initial);

const TERMS = {
  tokenId: ID,
  name: 'deploy',
  role: 'operator',
  routes: ['GET /admin/v1/clients'],
  by: 'first-start',
  hash: HASH,
  expiresAt: NOW + DAY,
} as const;
const ADDED: AdminTokenEvent = { type: 'AdminTokenAdded', data: { at: NOW, ...TERMS } };
const add = (changes: Partial<AdminTokenCommand & { type: 'AddAdminToken' }> = {}): AdminTokenCommand => ({
  type: 'AddAdminToken',
  now: NOW,
  ...TERMS,
  ...changes,
});

describe('adding an admin token', () => {
  it('stores name, role, end and the hash', () => {
    expect(adminTokenDecider.decide(add(), adminTokenDecider.initial)).toEqual([ADDED]);
  });

  it.each([
    ['a name of two characters', { name: 'ab' }, 'name'],
    ['a name with a space, as of a person', { name: 'Mari Maasikas' }, 'name'],
    ['no route', { routes: [] }, 'routes'],
    ['an end that has passed', { expiresAt: NOW }, 'expires_at'],
    ['an end a millisecond after 400 days', { expiresAt: NOW + 400 * DAY + 1 }, 'expires_at'],
  ])('refuses %s', (_, changes, field) => {
    expect(() => adminTokenDecider.decide(add(changes), adminTokenDecider.initial)).toThrow(InvalidRequest);
    expect(() => adminTokenDecider.decide(add(changes), adminTokenDecider.initial)).toThrow(field);
  });

  it('takes an end in exactly 400 days', () => {
    expect(adminTokenDecider.decide(add({ expiresAt: NOW + 400 * DAY }), adminTokenDecider.initial)).toHaveLength(1);
  });

  it('refuses the name of a valid token, and accepts the name of an expired or revoked one', () => {
    const again = add({ tokenId: OTHER });
    expect(() => adminTokenDecider.decide(again, after(ADDED))).toThrow(AdminTokenNameTaken);
    expect(() => adminTokenDecider.decide(again, after(ADDED))).toThrow(
      expect.objectContaining({ reason: 'the name of a valid token', detail: 'Another valid token has this name.' }),
    );
    const later = { ...again, now: NOW + DAY, expiresAt: NOW + 2 * DAY } as AdminTokenCommand;
    expect(adminTokenDecider.decide(later, after(ADDED))).toHaveLength(1);
    expect(adminTokenDecider.decide(again, after(ADDED, { type: 'AdminTokenRevoked', data: { at: NOW, tokenId: ID } }))).toHaveLength(1);
  });

  it('refuses the hundred and first valid token', () => {
    const many = Array.from({ length: 100 }, (_, at): AdminTokenEvent => ({
      type: 'AdminTokenAdded',
      data: { ...ADDED.data, name: `token-${at}` } as never,
    }));
    expect(() => adminTokenDecider.decide(add(), after(...many))).toThrow('100 valid tokens');
  });
});

describe('revoking an admin token', () => {
  const revoke = { type: 'RevokeAdminToken', now: NOW, tokenId: ID } as const;

  it('happens once', () => {
    const revoked: AdminTokenEvent = { type: 'AdminTokenRevoked', data: { at: NOW, tokenId: ID } };
    expect(adminTokenDecider.decide(revoke, after(ADDED))).toEqual([revoked]);
    expect(adminTokenDecider.decide(revoke, after(ADDED, revoked))).toEqual([]);
  });

  it('refuses an unknown token', () => {
    for (const state of [adminTokenDecider.initial, after({ ...ADDED, data: { ...ADDED.data, tokenId: OTHER } })]) {
      expect(() => adminTokenDecider.decide(revoke, state)).toThrow(AdminTokenNotFound);
      expect(() => adminTokenDecider.decide(revoke, state)).toThrow(expect.objectContaining({ reason: 'no such token' }));
    }
  });

  it('leaves the other tokens valid', () => {
    const other: AdminTokenEvent = { ...ADDED, data: { ...ADDED.data, tokenId: OTHER, name: 'other' } };
    const { tokens } = after(ADDED, other, { type: 'AdminTokenRevoked', data: { at: NOW, tokenId: ID } });
    expect(tokens.map((token) => [token.tokenId, isValid(token, NOW)])).toEqual([
      [ID, false],
      [OTHER, true],
    ]);
  });
});

describe('a command or an event that this release does not know', () => {
  it('is an error of the program', () => {
    expect(() => adminTokenDecider.decide({ type: 'RenewAdminToken' } as never, adminTokenDecider.initial)).toThrow('RenewAdminToken');
    expect(() => adminTokenDecider.evolve(adminTokenDecider.initial, { type: 'AdminTokenRenewed', data: {} } as never)).toThrow('AdminTokenRenewed');
  });
});

describe('the events of version 1', () => {
  it('are still understood', async () => {
    const golden = await readFile(new URL('admin-token.events.v1.json', import.meta.url), 'utf8');
    const { events, states } = JSON.parse(golden) as { events: Stored<AdminTokenEvent>[]; states: AdminTokens[] };
    let state = adminTokenDecider.initial;
    expect(events.map((event) => (state = adminTokenDecider.evolve(state, event)))).toMatchObject(states);
    expect(new Set(events.map(({ type }) => type))).toEqual(ADMIN_TOKEN_EVENTS.types);
  });
});
