import { describe, it } from '@jest/globals';
import type { ClientId, DeviceId, IdentityId, SubjectId } from '#kernel';

import { deciderSpec } from '#kernel/testing';
import { sessionDecider } from './session.decider.js';
import type { SessionEvent } from './session.events.js';

const START = Date.UTC(2026, 0, 1);
const EXPIRY = START + 120_000;
const at = START + 10_000;

const clientId = 'client-a' as ClientId;
const phone = 'phone-a' as DeviceId;
const otherPhone = 'phone-b' as DeviceId;
const alice = 'alice' as IdentityId;
const aliceHere = 'subject-alice' as SubjectId;
const bobHere = 'subject-bob' as SubjectId;

const given = deciderSpec(sessionDecider);

const terms = {
  clientId,
  signatureType: 'AUTHENTICATION',
  redirectUri: 'https://rp.example/callback',
  codeChallenge: 'challenge',
  pushStatus: 'NOT_REQUESTED',
  sealed: 'sealed',
  expiresAt: EXPIRY,
} as const;

const created: SessionEvent = { type: 'SessionCreated', data: { ...terms, at: START } };
const hosted: SessionEvent = { type: 'SessionCreated', data: { ...terms, handoffExpiresAt: START + 60_000, at: START } };
const forAlice: SessionEvent = { type: 'SessionCreated', data: { ...terms, subjectId: aliceHere, at: START } };
const claimed: SessionEvent = { type: 'HandoffClaimed', data: { at } };
const superseded: SessionEvent = { type: 'LoginSuperseded', data: { at } };
const scanned: SessionEvent = { type: 'SessionScanned', data: { deviceId: phone, identityId: alice, sealed: 'scan', at } };
const refused = (deviceHash: string): SessionEvent => ({ type: 'ScanRefused', data: { deviceHash, at } });
const confirmed: SessionEvent = { type: 'SessionConfirmed', data: { signature: 'signature', codeExpiresAt: at + 60_000, at } };
const completed: SessionEvent = { type: 'SessionCompleted', data: { at } };
const declined: SessionEvent = { type: 'SessionCancelled', data: { reason: 'DECLINED', at } };
const expired: SessionEvent = { type: 'SessionExpired', data: { at: EXPIRY } };
const redeemed: SessionEvent = { type: 'CodeRedeemed', data: { at } };

const create = { type: 'CreateSession', terms, now: START } as const;
const claim = { type: 'ClaimHandoff', now: at } as const;
const supersede = { type: 'SupersedeLogin', now: at } as const;
const scan = { type: 'ScanSession', deviceId: phone, identityId: alice, subjectId: aliceHere, sealed: 'scan', now: at } as const;
const confirm = { type: 'ConfirmSession', deviceId: phone, signature: 'signature', codeTtl: 60_000, buildTtl: 60_000, now: at } as const;
const decline = { type: 'CancelSession', by: { deviceId: phone }, reason: 'DECLINED', now: at } as const;
const withdraw = { type: 'CancelSession', by: { clientId }, reason: 'WITHDRAWN', now: at } as const;
const complete = { type: 'CompleteSession', now: at } as const;
const redeem = { type: 'RedeemCode', clientId, codeChallenge: 'challenge', now: at } as const;

describe('creating', () => {
  it('given no session › creates it', () => given().when(create).then(created));
  it('given the session of an earlier try › does nothing', () => given(created).when(create).nothing());
});

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

describe('scanning', () => {
  it('given a pending session › records the scan', () => given(created).when(scan).then(scanned));
  it('given its own earlier scan › does nothing', () => given(created, scanned).when(scan).nothing());
  it('given its own session, confirmed › does nothing', () => given(created, scanned, confirmed).when(scan).nothing());
  it.each([
    ['scanned', [created, scanned]],
    ['confirmed', [created, scanned, confirmed]],
    ['completed', [created, scanned, confirmed, completed]],
  ] as const)('given a session %s by another device › refuses', (_, events) =>
    given(...events)
      .when({ ...scan, deviceId: otherPhone })
      .refuses('session_already_scanned', 'scanned by another device'),
  );
  it('given a cancelled session › refuses', () => given(created, scanned, declined).when(scan).refuses('session_expired', 'session is CANCELLED'));
  it('given an expired session › refuses', () => given(created, expired).when(scan).refuses('session_expired', 'session is EXPIRED'));
  it('given no session › refuses', () => given().when(scan).refuses('session_not_found', 'unknown session'));
  it('given a session for another subject › refuses', () =>
    given(forAlice)
      .when({ ...scan, subjectId: bobHere })
      .refuses('subject_not_allowed', 'another subject'));
  it('given a session for this subject › records the scan', () => given(forAlice).when(scan).then(scanned));
  it('given a refused scan › still records the scan of the right subject', () => given(forAlice, refused(otherPhone)).when(scan).then(scanned));
});

describe('recording a refused scan', () => {
  const record = (deviceHash: string) => ({ type: 'RecordRefusedScan', deviceHash, now: at }) as const;
  it('given no refusal of this device › records it', () => given(forAlice).when(record(phone)).then(refused(phone)));
  it('given a refusal of this device › does nothing', () => given(forAlice, refused(phone)).when(record(phone)).nothing());
  it('given five refusals of other devices › does nothing, so that the stream stays short', () => {
    const five = ['1', '2', '3', '4', '5'].map((name) => refused(name));
    given(forAlice, ...five)
      .when(record(phone))
      .nothing();
  });
});

describe('confirming', () => {
  it('given the scan of this device › confirms, with a code for 60 seconds', () => given(created, scanned).when(confirm).then(confirmed));
  it('given a confirmed session › does nothing', () => given(created, scanned, confirmed).when(confirm).nothing());
  it('given a completed session › does nothing', () => given(created, scanned, confirmed, completed).when(confirm).nothing());
  it('given no scan › refuses', () => given(created).when(confirm).refuses('session_not_scanned', 'session is PENDING'));
  it('given the scan of another device › refuses as for an unknown session', () =>
    given(created, scanned)
      .when({ ...confirm, deviceId: otherPhone })
      .refuses('session_not_found', 'scanned by another device'));
  it('given a cancelled session › refuses', () => given(created, scanned, declined).when(confirm).refuses('session_expired', 'session is CANCELLED'));
  it('given an expired session › refuses', () => given(created, scanned, expired).when(confirm).refuses('session_expired', 'session is EXPIRED'));
});

describe('declining on the phone', () => {
  it('given the scan of this device › cancels', () => given(created, scanned).when(decline).then(declined));
  it('given a cancelled session › does nothing', () => given(created, scanned, declined).when(decline).nothing());
  it('given no scan › refuses', () => given(created).when(decline).refuses('session_not_scanned', 'session is PENDING'));
  it('given a confirmed session › refuses', () =>
    given(created, scanned, confirmed).when(decline).refuses('session_not_scanned', 'session is CONFIRMED'));
  it('given the scan of another device › refuses as for an unknown session', () =>
    given(created, scanned)
      .when({ ...decline, by: { deviceId: otherPhone } })
      .refuses('session_not_found', 'scanned by another device'));
});

describe('withdrawing by the relying party', () => {
  const withdrawn: SessionEvent = { type: 'SessionCancelled', data: { reason: 'WITHDRAWN', at } };
  it('given a pending session › cancels', () => given(created).when(withdraw).then(withdrawn));
  it('given a scanned session › cancels', () => given(created, scanned).when(withdraw).then(withdrawn));
  it.each([
    ['CONFIRMED', [created, scanned, confirmed]],
    ['COMPLETED', [created, scanned, confirmed, completed]],
    ['CANCELLED', [created, scanned, declined]],
    ['EXPIRED', [created, expired]],
  ] as const)('given a session that is %s › refuses', (status, events) =>
    given(...events)
      .when(withdraw)
      .refuses('session_not_cancellable', `session is ${status}`),
  );
});

describe('completing', () => {
  it('given a confirmed session › completes', () => given(created, scanned, confirmed).when(complete).then(completed));
  it('given a completed session › refuses', () =>
    given(created, scanned, confirmed, completed).when(complete).refuses('session_already_completed', 'completed before'));
  it.each([
    ['PENDING', [created]],
    ['SCANNED', [created, scanned]],
    ['CANCELLED', [created, scanned, declined]],
    ['EXPIRED', [created, expired]],
  ] as const)('given a session that is %s › refuses', (status, events) =>
    given(...events)
      .when(complete)
      .refuses('session_not_confirmed', `session is ${status}`),
  );
  it('given an expired code › still completes', () => {
    const late = at + 300_000;
    given(created, scanned, confirmed)
      .when({ ...complete, now: late })
      .then({ type: 'SessionCompleted', data: { at: late } });
  });
});

describe('redeeming the code', () => {
  const handedOut = [created, scanned, confirmed, completed] as const;
  it('given a completed session › redeems the code', () =>
    given(...handedOut)
      .when(redeem)
      .then(redeemed));
  it('given a redeemed code › refuses', () =>
    given(...handedOut, redeemed)
      .when(redeem)
      .refuses('invalid_grant', 'already redeemed'));
  it('given no completion › refuses', () => given(created, scanned, confirmed).when(redeem).refuses('invalid_grant', 'no code handed out'));
  it('given the code of another client › refuses', () =>
    given(...handedOut)
      .when({ ...redeem, clientId: 'client-b' as ClientId })
      .refuses('invalid_grant', 'another client'));
  it('given another verifier › refuses', () =>
    given(...handedOut)
      .when({ ...redeem, codeChallenge: 'other' })
      .refuses('invalid_grant', 'PKCE mismatch'));
  it('is possible for less than 60 seconds after the confirmation', () => {
    given(...handedOut)
      .when({ ...redeem, now: at + 59_999 })
      .then({ type: 'CodeRedeemed', data: { at: at + 59_999 } });
    given(...handedOut)
      .when({ ...redeem, now: at + 60_000 })
      .refuses('invalid_grant', 'expired');
  });
});

describe('the deadline', () => {
  const pass = { type: 'ExpireIfDue', now: EXPIRY } as const;
  it.each([
    ['pending', [created]],
    ['scanned', [created, scanned]],
  ] as const)('ends a %s session at its expiry', (_, events) =>
    given(...events)
      .when(pass)
      .then(expired),
  );
  it('does not end a session a millisecond before its deadline', () =>
    given(created)
      .when({ ...pass, now: EXPIRY - 1 })
      .nothing());
  it.each([
    ['confirmed', [created, scanned, confirmed]],
    ['completed', [created, scanned, confirmed, completed]],
    ['cancelled', [created, scanned, declined]],
    ['expired', [created, expired]],
  ] as const)('does not end a %s session', (_, events) =>
    given(...events)
      .when({ ...pass, now: EXPIRY + 1 })
      .nothing(),
  );
  it.each([
    ['scan', scan],
    ['confirmation', confirm],
    ['refusal', decline],
    ['withdrawal', withdraw],
    ['completion', complete],
    ['claim', claim],
  ] as const)('comes before a %s', (_, command) =>
    given(hosted, scanned)
      .when({ ...command, now: EXPIRY })
      .then(expired),
  );
});

describe('signing', () => {
  const DEADLINE = at + 60_000;
  const document: SessionEvent = {
    type: 'SessionCreated',
    data: { ...terms, signatureType: 'SIGNING', handoffExpiresAt: START + 60_000, at: START },
  };
  const shown: SessionEvent = { type: 'SessionScanned', data: { deviceId: phone, identityId: alice, certificateHash: 'hash', sealed: 'scan', at } };
  const approved: SessionEvent = { type: 'SessionConfirmed', data: { signature: 'signature', buildExpiresAt: DEADLINE, at } };
  const signed: SessionEvent = { type: 'SessionCompleted', data: { resultExpiresAt: at + 1_800_000, at } };
  const failed: SessionEvent = { type: 'SessionCancelled', data: { reason: 'SIGNING_FAILED', at: DEADLINE } };
  const issued: SessionEvent = { type: 'RedirectIssued', data: { at } };
  const finish = { type: 'FinishSigning', resultTtl: 1_800_000, now: at } as const;
  const abandon = { type: 'AbandonSigning', reason: 'ERASED', now: at } as const;

  it('records the certificate of the scan', () =>
    given(document)
      .when({ ...scan, certificateHash: 'hash' })
      .then(shown));

  it('given the scan › an approval starts the building of the container, for 60 seconds', () => given(document, shown).when(confirm).then(approved));
  it('given an approval › repeating it does nothing', () => given(document, shown, approved).when(confirm).nothing());
  it('given an approval › can be neither withdrawn nor declined', () => {
    given(document, shown, approved).when(withdraw).refuses('session_not_cancellable', 'approved');
    given(document, shown, approved).when(decline).refuses('session_not_scanned', 'approved');
  });

  it('given an approval › the result completes it, once', () => {
    given(document, shown, approved).when(finish).then(signed);
    given(document, shown, approved, signed).when(finish).nothing();
  });
  it('given no approval › refuses a result', () => given(document, shown).when(finish).refuses('session_expired', 'session is SCANNED'));
  it('given a failure › refuses a result', () =>
    given(document, shown, approved, failed).when(finish).refuses('session_expired', 'session is CANCELLED'));

  it('given an approval › the deadline fails the signature and does not expire it', () => {
    given(document, shown, approved).when({ type: 'ExpireIfDue', now: EXPIRY }).then(failed);
    given(document, shown, approved)
      .when({ type: 'ExpireIfDue', now: DEADLINE - 1 })
      .nothing();
    given(document, shown, approved)
      .when({ ...finish, now: DEADLINE })
      .then(failed);
  });
  it('given an approval near the expiry › the building still has 60 seconds', () => {
    const late = EXPIRY - 1;
    const lateApproval: SessionEvent = { type: 'SessionConfirmed', data: { signature: 'signature', buildExpiresAt: late + 60_000, at: late } };
    given(document, shown)
      .when({ ...confirm, now: late })
      .then(lateApproval);
    given(document, shown, lateApproval)
      .when({ type: 'ExpireIfDue', now: EXPIRY + 1 })
      .nothing();
  });

  it('can be abandoned only while its container is being built', () => {
    given(document, shown, approved)
      .when(abandon)
      .then({ type: 'SessionCancelled', data: { reason: 'ERASED', at } });
    given(document, shown).when(abandon).nothing();
    given(document, shown, approved, signed).when(abandon).nothing();
  });

  it('answers the redirect of a hosted signature once', () => {
    given(document, shown, approved).when(complete).refuses('session_not_confirmed', 'session is SCANNED');
    given(document, shown, approved, signed).when(complete).then(issued);
    given(document, shown, approved, signed, issued).when(complete).refuses('session_already_completed', 'completed before');
  });
  it('can be superseded until then', () => {
    given(document, claimed, shown, approved, signed).when(supersede).then(superseded);
    given(document, claimed, shown, approved, signed, issued).when(supersede).nothing();
  });

  it('has no code', () => given(document, shown, approved, signed).when(redeem).refuses('invalid_grant', 'no code handed out'));
});
