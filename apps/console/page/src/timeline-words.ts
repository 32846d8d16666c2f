import type { Messages } from './messages/messages.js';
import { type Json, listOf, textOf } from './portal-api.js';

const STEPS: Readonly<Record<string, keyof Messages>> = {
  SessionCreated: 'stepCreated',
  HandoffClaimed: 'stepClaimed',
  LoginSuperseded: 'stepSuperseded',
  SessionScanned: 'stepScanned',
  ScanRefused: 'stepRefused',
  SessionConfirmed: 'stepConfirmed',
  SessionCompleted: 'stepCompleted',
  NumberRefused: 'stepNumberRefused',
  RedirectIssued: 'stepRedirected',
  SessionCancelled: 'stepCancelled',
  SessionExpired: 'stepExpired',
  CodeRedeemed: 'stepRedeemed',
  PersonErased: 'stepPersonErased',
};

const REASONS: Readonly<Record<string, keyof Messages>> = {
  DECLINED: 'endDeclined',
  LEFT: 'endLeft',
  WRONG_CODE: 'endWrongCode',
  PIN_LOCKED: 'endPinLocked',
  WITHDRAWN: 'endWithdrawn',
  SIGNING_FAILED: 'endSigningFailed',
  ERASED: 'endErased',
  DEVICE_REVOKED: 'endDeviceRevoked',
};

const typesOf = (timeline: Json): readonly string[] => listOf(timeline, 'events').map((event) => textOf(event, 'type'));

/** What happened, in words; the type itself where a newer service has one that this page does not know. */
export const stepText = (texts: Messages, event: Json): string => {
  const type = textOf(event, 'type');
  const key = Object.hasOwn(STEPS, type) ? STEPS[type] : undefined;
  return key ? texts[key] : type;
};

/** Why the session ended as it did, or how far it is. */
export const endText = (texts: Messages, timeline: Json): string => {
  const types = typesOf(timeline);
  const has = (type: string): boolean => types.includes(type);
  if (has('SessionCancelled')) {
    const reason = textOf(listOf(timeline, 'events').find((event) => event['type'] === 'SessionCancelled') ?? {}, 'reason');
    const key = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
    return key ? texts[key] : `${texts.stepCancelled} ${reason}`;
  }
  if (has('SessionExpired')) return expiryText(texts, has);
  if (has('NumberRefused')) return texts.endWrongNumber;
  if (has('CodeRedeemed')) return texts.endRedeemed;
  if (has('SessionCompleted')) return texts.endCompleted;
  return has('SessionConfirmed') ? texts.nowConfirmed : has('SessionScanned') ? texts.nowScanned : texts.nowCreated;
};

/** Names the step that the session was waiting for when it expired. */
const expiryText = (texts: Messages, has: (type: string) => boolean): string => {
  if (has('SessionConfirmed')) return texts.expiredConfirmed;
  if (has('SessionScanned')) return texts.expiredScanned;
  return has('ScanRefused') ? texts.expiredRefused : texts.expiredCreated;
};
