import { describe, expect, it } from '@jest/globals';

import type { Prover } from '#clients/device';
import type { Reply } from '#web-page/browser';
import { LogOuts, openLogins } from './log-outs.js';
import type { PastRequest } from './phone-memory.js';

const login = (sessionId: string, logoutClientId?: string, outcome: PastRequest['outcome'] = 'CONFIRMED'): PastRequest => ({
  sessionId,
  relyingPartyName: `Party ${logoutClientId}`,
  signatureType: 'AUTHENTICATION',
  outcome,
  at: 0,
  ...(logoutClientId !== undefined && { logoutClientId }),
});

describe('the logins from which the person can be logged out', () => {
  it('are the newest one of each relying party that takes log-outs', () => {
    const requests = [login('5', 'shop', 'DECLINED'), login('4', 'shop'), login('3'), login('2', 'bank'), login('1', 'shop')];
    expect(openLogins(requests).map(({ sessionId }) => sessionId)).toEqual(['4', '2']);
  });
});

describe('a log-out', () => {
  const SHOP = { sessionId: '4', logoutClientId: 'shop' };
  const refused = (status: number, errorCode: string): Reply<true> => ({ kind: 'REFUSED', status, errorCode });
  const fixture = (replies: Reply<true>[], enrolled = true) => {
    const calls: string[] = [];
    let redrawn = 0;
    const logOuts = new LogOuts({
      phone: { prover: enrolled ? ({} as Prover) : undefined },
      api: {
        logOut: async (_, clientId) => {
          calls.push(clientId);
          return replies.shift()!;
        },
      },
      onChange: () => (redrawn += 1),
    });
    return { logOuts, calls, redrawn: () => redrawn };
  };

  it.each([
    ['TOLD', { kind: 'OK', body: true }],
    ['NOT_TAKEN', refused(409, 'logout_not_supported')],
    ['NOT_TAKEN', refused(404, 'client_not_found')],
    ['FAILED', refused(503, 'service_unavailable')],
    ['FAILED', { kind: 'UNREACHABLE' }],
  ] as const)('ends as %s after %j, and the page shows it at that login alone', async (end, reply) => {
    const { logOuts, calls, redrawn } = fixture([reply]);
    expect(logOuts.endOf(SHOP)).toBeUndefined();
    expect(await logOuts.ask(SHOP)).toBe(end);
    expect([calls, redrawn()]).toEqual([['shop'], 1]);
    expect([logOuts.endOf(SHOP), logOuts.endOf({ sessionId: '1' })]).toEqual([end, undefined]);
  });

  it('can be tried again after a failure', async () => {
    const { logOuts } = fixture([{ kind: 'UNREACHABLE' }, { kind: 'OK', body: true }]);
    await logOuts.ask(SHOP);
    expect(await logOuts.ask(SHOP)).toBe('TOLD');
    expect(logOuts.endOf(SHOP)).toBe('TOLD');
  });

  it('is none without a phone', async () => {
    const { logOuts, calls } = fixture([], false);
    expect([await logOuts.ask(SHOP), calls]).toEqual(['FAILED', []]);
  });
});
