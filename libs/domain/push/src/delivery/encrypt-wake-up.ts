import webPush from 'web-push';

import type { PushSubscription } from '../domain/push-subscription.js';
import type { VapidKeys } from '../vapid-keys.js';
import type { WakeUpReason } from './wake-up-jobs.js';

/** The whole content of a push: it only wakes the phone, which then asks the service. No name, no title, no session, no device. */
const CONTENTS: Readonly<Record<WakeUpReason, string>> = {
  REQUEST: '{"type":"wake-up"}',
  NEW_DEVICE: '{"type":"new-device"}',
  NEW_CODE: '{"type":"new-code"}',
};

/** A push service delivers only the newest message of a topic to a browser that was offline (RFC 8030 section 5.4). */
const TOPICS: Readonly<Record<WakeUpReason, string>> = { REQUEST: 'wake-up', NEW_DEVICE: 'new-device', NEW_CODE: 'new-code' };

export interface EncryptedWakeUp {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface WakeUpMessage {
  readonly reason: WakeUpReason;
  /** How long the push service may keep it. */
  readonly seconds: number;
}

/** A wake-up for one browser: encrypted by RFC 8291, signed by RFC 8292. */
export const encryptWakeUp = (
  { endpoint, p256dh, auth }: PushSubscription,
  { publicKey, privateKey, subject }: VapidKeys,
  { reason, seconds }: WakeUpMessage,
): EncryptedWakeUp => {
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, CONTENTS[reason], {
    vapidDetails: { subject, publicKey, privateKey },
    TTL: seconds,
    urgency: 'high',
    topic: TOPICS[reason],
    contentEncoding: 'aes128gcm',
  });
  return { url: endpoint, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])), body };
};
