import { describe, expect, it } from '@jest/globals';

import { containerWaitOf } from './container-wait.js';
import type { SessionEvent } from './domain/session.events.js';

const APPROVED = 100_000;
const approved: SessionEvent = { type: 'SessionConfirmed', data: { buildExpiresAt: APPROVED + 60_000, at: APPROVED } };
const confirmed: SessionEvent = { type: 'SessionConfirmed', data: { codeExpiresAt: APPROVED + 60_000, at: APPROVED } };
const completed = (at: number): SessionEvent => ({ type: 'SessionCompleted', data: { at } });
const cancelled = (at: number): SessionEvent => ({ type: 'SessionCancelled', data: { reason: 'SIGNING_FAILED', at } });

describe('the wait of a signature for its container', () => {
  it('ends with the result', () => {
    expect(containerWaitOf([approved, completed(APPROVED + 700)])).toEqual({ outcome: 'built', milliseconds: 700 });
  });

  it('ends at the deadline, when no container was built', () => {
    expect(containerWaitOf([approved, cancelled(APPROVED + 60_000)])).toEqual({ outcome: 'late', milliseconds: 60_000 });
  });

  it('is not below zero when the clock of the signing service is behind', () => {
    expect(containerWaitOf([approved, completed(APPROVED - 20)])).toEqual({ outcome: 'built', milliseconds: 0 });
  });

  it.each<[string, SessionEvent[]]>([
    ['a container that was refused', [approved, cancelled(APPROVED + 300)]],
    ['a signature that waits', [approved]],
    ['an event after the result', [approved, completed(APPROVED + 700), { type: 'RedirectIssued', data: { at: APPROVED + 900 } }]],
    ['a login', [confirmed, completed(APPROVED + 700)]],
    ['a session that was cancelled without an approval', [cancelled(APPROVED)]],
    ['a stream without events', []],
  ])('is not told of %s', (_, events) => {
    expect(containerWaitOf(events)).toBeUndefined();
  });
});
