import { describe, expect, it } from '@jest/globals';
import type { ClientId } from '#kernel';

import type { SessionCommand } from './session.commands.js';
import type { SessionEvent } from './session.events.js';
import {
  START,
  EXPIRY,
  at,
  phone,
  otherPhone,
  bobHere,
  given,
  created,
  hosted,
  forAlice,
  scanned,
  refused,
  confirmed,
  completed,
  declined,
  expired,
  redeemed,
  create,
  claim,
  scan,
  confirm,
  decline,
  withdraw,
  complete,
  redeem,
  terms,
} from '#testkit/session/domain/session-examples';

describe('creating', () => {
  it('given no session › creates it', () => given().when(create).then(created));
  it('given the session of an earlier try › does nothing', () => given(created).when(create).nothing());
  it('given a request with an idempotency key › records the digest of the request', () =>
    given()
      .when({ ...create, requestDigest: 'digest' })
      .then({ type: 'SessionCreated', data: { ...terms, at: START, requestDigest: 'digest' } }));
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
      .when({ ...scan, subjectIds: [bobHere] })
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
    given(forAlice, ...five.slice(1))
      .when(record(phone))
      .then(refused(phone));
  });
  it.each([
    ['no session', []],
    ['a scanned session', [forAlice, scanned]],
    ['a cancelled session', [forAlice, scanned, declined]],
  ] as const)('given %s › does nothing', (_, events) =>
    given(...events)
      .when(record(otherPhone))
      .nothing(),
  );
});

describe('confirming', () => {
  it('given no session › refuses', () => given().when(confirm).refuses('session_not_found', 'unknown session'));
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
  it('given no session › refuses', () => given().when(decline).refuses('session_not_found', 'unknown session'));
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
  it('given no session › refuses', () => given().when(withdraw).refuses('session_not_found', 'unknown session'));
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
  it('given no session › refuses', () => given().when(complete).refuses('session_not_found', 'unknown session'));
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

describe('a command that this release does not know', () => {
  it('is an error of the program, and no decision to do nothing', () => {
    const unknown = { type: 'ReopenSession', now: at } as unknown as SessionCommand;
    expect(() => given(created).when(unknown).nothing()).toThrow('ReopenSession');
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
