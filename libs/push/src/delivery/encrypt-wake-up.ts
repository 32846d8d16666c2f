import webPush from 'web-push';

import type { PushSubscription } from '../domain/push-subscription.js';
import type { VapidKeys } from '../vapid-keys.js';

/** The whole content of a push: it only wakes the phone, which then reads its inbox. No name, no title, no session. */
const WAKE_UP = '{"type":"wake-up"}';

/** A push service delivers only the newest message of a topic to a browser that was offline (RFC 8030 section 5.4). */
const TOPIC = 'wake-up';

export interface EncryptedWakeUp {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A wake-up for one browser: encrypted by RFC 8291, signed by RFC 8292. `seconds`: how long the push service may keep it. */
export const encryptWakeUp = (
  { endpoint, p256dh, auth }: PushSubscription,
  { publicKey, privateKey, subject }: VapidKeys,
  seconds: number,
): EncryptedWakeUp => {
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, WAKE_UP, {
    vapidDetails: { subject, publicKey, privateKey },
    TTL: seconds,
    urgency: 'high',
    topic: TOPIC,
    contentEncoding: 'aes128gcm',
  });
  return { url: endpoint, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])), body };
};
