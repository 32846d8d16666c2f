import { describe, it } from '@jest/globals';

import type { SessionEvent } from './session.events.js';
import {
  START,
  at,
  given,
  created,
  hosted,
  claimed,
  superseded,
  scanned,
  confirmed,
  completed,
  declined,
  expired,
  claim,
  complete,
  scan,
  supersede,
} from '#testkit/session/domain/session-examples';

describe('claiming the handoff token', () => {
  it('given a pending hosted session › claims it', () => given(hosted).when(claim).then(claimed));
  it('keeps the sealed facts of the browser that claims', () =>
    given(hosted)
      .when({ ...claim, sealed: 'page' })
      .then({ type: 'HandoffClaimed', data: { sealed: 'page', at } }));
  it('given no session › refuses', () => given().when(claim).refuses('invalid_handoff', 'unknown session'));
  it('given no hosted page › refuses', () => given(created).when(claim).refuses('invalid_handoff', 'not a hosted login'));
  it('given an earlier claim › refuses', () => given(hosted, claimed).when(claim).refuses('invalid_handoff', 'already claimed'));
  it('given a scanned session › refuses', () => given(hosted, scanned).when(claim).refuses('invalid_handoff', 'session is SCANNED'));
  it('given a cancelled session › refuses', () => given(hosted, scanned, declined).when(claim).refuses('invalid_handoff', 'session is CANCELLED'));
  it('is possible for less than 60 seconds', () => {
    given(hosted)
      .when({ ...claim, now: START + 59_999 })
      .then({ type: 'HandoffClaimed', data: { at: START + 59_999 } });
    given(hosted)
      .when({ ...claim, now: START + 60_000 })
      .refuses('invalid_handoff', 'expired');
  });
});

describe('completing a hosted login that was opened by a link', () => {
  const byLink: SessionEvent = { ...scanned, data: { ...scanned.data, via: 'link' } } as SessionEvent;
  const signing: SessionEvent = { ...hosted, data: { ...hosted.data, signatureType: 'SIGNING' } } as SessionEvent;
  const signed: SessionEvent = { type: 'SessionCompleted', data: { resultExpiresAt: at + 1, at } };
  const approved: SessionEvent = { type: 'SessionConfirmed', data: { buildExpiresAt: at + 60_000, at } };
  const returned = { ...complete, returned: true };
  const notReturned = { ...complete, returned: false };

  it('records how the phone came to it', () =>
    given(hosted, claimed)
      .when({ ...scan, via: 'link' })
      .then(byLink));
  it('given the return token › completes', () => given(hosted, claimed, byLink, confirmed).when(returned).then(completed));
  it('given no return token › refuses', () =>
    given(hosted, claimed, byLink, confirmed).when(notReturned).refuses('return_token_required', 'opened by a link'));
  it('given no return token for a signature › refuses', () =>
    given(signing, claimed, byLink, approved, signed).when(notReturned).refuses('return_token_required', 'opened by a link'));
  it('given the return token for a signature › hands the redirect out', () =>
    given(signing, claimed, byLink, approved, signed).when(returned).then({ type: 'RedirectIssued', data: { at } }));
  it('before the confirmation › refuses for that', () =>
    given(hosted, claimed, byLink).when(notReturned).refuses('session_not_confirmed', 'session is SCANNED'));
  it('given a completed login › refuses for that', () =>
    given(hosted, claimed, byLink, confirmed, completed).when(notReturned).refuses('session_already_completed', 'completed before'));
  it('given a scan of the QR code › needs no return token', () => given(hosted, claimed, scanned, confirmed).when(notReturned).then(completed));
  it('by the client itself › needs no return token', () => given(hosted, claimed, byLink, confirmed).when(complete).then(completed));
  it('without hosted page › needs no return token', () => given(created, byLink, confirmed).when(complete).then(completed));
});

describe('superseding a hosted login', () => {
  it('given a claimed login › supersedes it', () => given(hosted, claimed).when(supersede).then(superseded));
  it('given a confirmed login › supersedes it', () => given(hosted, claimed, scanned, confirmed).when(supersede).then(superseded));
  it('given a superseded login › does nothing', () => given(hosted, claimed, superseded).when(supersede).nothing());
  it.each([
    ['cancelled', [hosted, claimed, scanned, declined]],
    ['expired', [hosted, claimed, expired]],
  ] as const)('given a claimed login whose session is %s › does nothing', (_, events) =>
    given(...events)
      .when(supersede)
      .nothing(),
  );
  it('given no session › does nothing', () => given().when(supersede).nothing());
  it('given an unclaimed session › does nothing', () => given(hosted).when(supersede).nothing());
  it('given a completed login › does nothing', () => given(hosted, claimed, scanned, confirmed, completed).when(supersede).nothing());
});
