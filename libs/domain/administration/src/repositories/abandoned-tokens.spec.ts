import { describe, expect, it } from '@jest/globals';

import { type SubjectId } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import type { AdminToken } from '../domain/admin-token.js';
import { FIRST_START } from '../domain/administrator.js';
import type { AdminTokenId } from '../domain/admin-token.events.js';
import type { Membership } from '../domain/portal-membership.js';
import { AbandonedTokens } from './abandoned-tokens.js';

const [MARI, OLD_MARI, JAAN] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`) as [SubjectId, SubjectId, SubjectId];

describe('a token whose maker has left the staff', () => {
  const clock = new FixedClock();
  const token = (tokenId: string, by: string, changes: Partial<AdminToken> = {}): AdminToken => ({
    tokenId: tokenId as AdminTokenId,
    name: tokenId,
    role: 'read',
    hash: '',
    addedAt: 0,
    expiresAt: clock.now() + 1,
    routes: [],
    by,
    ...changes,
  });
  const tokens = [
    token('of-mari', OLD_MARI),
    token('of-jaan', JAAN),
    token('of-the-first-start', FIRST_START),
    token('revoked', JAAN, { revokedAt: 0 }),
    token('over', JAAN, { expiresAt: clock.now() }),
  ];
  const told: AdminTokenId[] = [];
  const abandoned = new AbandonedTokens({
    records: { all: async () => tokens },
    members: { team: async () => ({ members: [{ subjectId: MARI } as Membership], invitations: [] }) },
    names: { ofSubject: async (subject) => (subject === JAAN ? [JAAN] : [MARI, OLD_MARI]) },
    clock,
    alarm: (tokenId) => told.push(tokenId),
  });

  it('is found: one that lets its holder in, of a person who is not there under any subjectId', async () => {
    expect([...(await abandoned.find())]).toEqual(['of-jaan']);
  });

  it('raises one alarm, however often it is seen', async () => {
    for (let time = 0; time < 3; time += 1) expect(await abandoned.watch()).toBe(1);
    expect(told).toEqual(['of-jaan']);
  });
});
