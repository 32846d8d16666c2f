import { describe, it } from '@jest/globals';

import {
  START,
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
  supersede,
} from './testing/session-examples.js';

describe('claiming the handoff token', () => {
  it('given a pending hosted session › claims it', () => given(hosted).when(claim).then(claimed));
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
