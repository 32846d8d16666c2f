import { describe, it } from '@jest/globals';

import type { SessionEvent } from './session.events.js';
import {
  START,
  EXPIRY,
  at,
  phone,
  alice,
  given,
  terms,
  claimed,
  superseded,
  supersede,
  scan,
  confirm,
  decline,
  withdraw,
  complete,
  redeem,
} from '#testkit/session/domain/session-examples';

describe('signing', () => {
  const DEADLINE = at + 60_000;
  const document: SessionEvent = {
    type: 'SessionCreated',
    data: { ...terms, signatureType: 'SIGNING', handoffExpiresAt: START + 60_000, at: START },
  };
  const shown: SessionEvent = { type: 'SessionScanned', data: { deviceId: phone, identityId: alice, certificateHash: 'hash', sealed: 'scan', at } };
  const approved: SessionEvent = { type: 'SessionConfirmed', data: { signature: 'signature', buildExpiresAt: DEADLINE, at } };
  const signed: SessionEvent = { type: 'SessionCompleted', data: { resultExpiresAt: at + 1_800_000, at } };
  const finding = 'no container was built in time';
  const failed: SessionEvent = { type: 'SessionCancelled', data: { reason: 'SIGNING_FAILED', finding, at: DEADLINE } };
  const issued: SessionEvent = { type: 'RedirectIssued', data: { at } };
  const finish = { type: 'FinishSigning', resultTtl: 1_800_000, now: at } as const;
  const abandon = { type: 'AbandonSigning', reason: 'ERASED', now: at } as const;

  it('records the certificate of the scan', () =>
    given(document)
      .when({ ...scan, certificateHash: 'hash' })
      .then(shown));

  it('given the scan › an approval starts the building of the container, for 60 seconds', () => given(document, shown).when(confirm).then(approved));
  it('given the scan › an approval whose signature is stored with the result records none', () => {
    const { signature: _, ...withoutSignature } = confirm;
    given(document, shown)
      .when(withoutSignature)
      .then({ type: 'SessionConfirmed', data: { buildExpiresAt: DEADLINE, at } });
  });
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

  it('ends with its phone until the result can be fetched, and with no other phone', () => {
    const end = { type: 'EndOfDevice', deviceId: phone, reason: 'DEVICE_REVOKED', now: at } as const;
    const ended: SessionEvent = { type: 'SessionCancelled', data: { reason: 'DEVICE_REVOKED', at } };
    given(document, shown).when(end).then(ended);
    given(document, shown, approved).when(end).then(ended);
    for (const stored of [[document], [document, shown, approved, signed], [document, shown, ended], []])
      given(...stored)
        .when(end)
        .nothing();
    given(document, shown)
      .when({ ...end, deviceId: alice as string as typeof phone })
      .nothing();
    given(document, shown, approved, ended).when(finish).refuses('session_expired', 'session is CANCELLED');
  });

  it('can be abandoned only while its container is being built', () => {
    given(document, shown, approved)
      .when(abandon)
      .then({ type: 'SessionCancelled', data: { reason: 'ERASED', at } });
    given(document, shown, approved)
      .when({ ...abandon, reason: 'SIGNING_FAILED', finding: 'the certificate has expired' })
      .then({ type: 'SessionCancelled', data: { reason: 'SIGNING_FAILED', finding: 'the certificate has expired', at } });
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
