import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import { fromBase64, type Randomness, Secret } from '#kernel';

const PREFIX = 'whsec_';
const BYTES = 32;
const LEAST = 24;
const MOST = 64;

/** A key of Standard Webhooks 1.0: `whsec_` and the base64 of 24 to 64 bytes. */
export const newWebhookSecret = (randomness: Randomness): Secret<string> => new Secret(PREFIX + randomness.bytes(BYTES).toString('base64'));

/** Whether the text is such a key. */
export const isWebhookSecret = (text: string): boolean => {
  const { length = 0 } = (text.startsWith(PREFIX) && fromBase64(text.slice(PREFIX.length))) || {};
  return length >= LEAST && length <= MOST;
};

export interface Signable {
  readonly id: string;
  /** Epoch seconds, of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The header `webhook-signature`: one `v1` signature for each secret, the newest first, so that a receiver may hold
 * either while a secret rotates (Standard Webhooks 1.0, "Signature scheme").
 */
export const webhookSignature = ({ id, timestamp, body }: Signable, secrets: readonly Secret<string>[]): string =>
  secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`).join(' ');

/** Not the bytes: from those Node takes four times as long to make a signature. */
const keyOf = (secret: Secret<string>): KeyObject => {
  const key = fromBase64(secret.reveal().slice(PREFIX.length));
  if (!key || !secret.reveal().startsWith(PREFIX)) throw new Error('not a webhook secret');
  return createSecretKey(key);
};
