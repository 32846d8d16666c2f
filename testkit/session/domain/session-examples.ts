import type { ClientId, DeviceId, IdentityId, SubjectId } from '#kernel';

import { deciderSpec } from '#testkit/kernel/decider-spec';
import { sessionDecider } from '#domain/session';
import type { SessionEvent } from '#domain/session';

export const START = Date.UTC(2026, 0, 1);
export const EXPIRY = START + 120_000;
export const at = START + 10_000;

export const clientId = 'client-a' as ClientId;
export const phone = 'phone-a' as DeviceId;
export const otherPhone = 'phone-b' as DeviceId;
export const alice = 'alice' as IdentityId;
export const aliceHere = 'subject-alice' as SubjectId;
export const bobHere = 'subject-bob' as SubjectId;

export const given = deciderSpec(sessionDecider);

export const terms = {
  clientId,
  signatureType: 'AUTHENTICATION',
  redirectUri: 'https://rp.example/callback',
  codeChallenge: 'challenge',
  pushStatus: 'NOT_REQUESTED',
  sealed: 'sealed',
  expiresAt: EXPIRY,
} as const;

export const created: SessionEvent = { type: 'SessionCreated', data: { ...terms, at: START } };
export const hosted: SessionEvent = { type: 'SessionCreated', data: { ...terms, handoffExpiresAt: START + 60_000, at: START } };
export const forAlice: SessionEvent = { type: 'SessionCreated', data: { ...terms, subjectId: aliceHere, at: START } };
export const claimed: SessionEvent = { type: 'HandoffClaimed', data: { at } };
export const superseded: SessionEvent = { type: 'LoginSuperseded', data: { at } };
export const scanned: SessionEvent = { type: 'SessionScanned', data: { deviceId: phone, identityId: alice, sealed: 'scan', at } };
export const refused = (deviceHash: string): SessionEvent => ({ type: 'ScanRefused', data: { deviceHash, at } });
export const confirmed: SessionEvent = { type: 'SessionConfirmed', data: { signature: 'signature', codeExpiresAt: at + 60_000, at } };
export const completed: SessionEvent = { type: 'SessionCompleted', data: { at } };
export const declined: SessionEvent = { type: 'SessionCancelled', data: { reason: 'DECLINED', at } };
export const expired: SessionEvent = { type: 'SessionExpired', data: { at: EXPIRY } };
export const redeemed: SessionEvent = { type: 'CodeRedeemed', data: { at } };

export const create = { type: 'CreateSession', terms, now: START } as const;
export const claim = { type: 'ClaimHandoff', now: at } as const;
export const supersede = { type: 'SupersedeLogin', now: at } as const;
export const scan = { type: 'ScanSession', deviceId: phone, identityId: alice, subjectIds: [aliceHere], sealed: 'scan', now: at } as const;
export const confirm = { type: 'ConfirmSession', deviceId: phone, signature: 'signature', codeTtl: 60_000, buildTtl: 60_000, now: at } as const;
export const decline = { type: 'CancelSession', by: { deviceId: phone }, reason: 'DECLINED', now: at } as const;
export const withdraw = { type: 'CancelSession', by: { clientId }, reason: 'WITHDRAWN', now: at } as const;
export const complete = { type: 'CompleteSession', now: at } as const;
export const redeem = { type: 'RedeemCode', clientId, codeChallenge: 'challenge', now: at } as const;
