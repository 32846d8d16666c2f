import { createHmac, timingSafeEqual } from 'node:crypto';

import { CountersignError } from './errors.js';

/** A message of the service to a relying party's server (Standard Webhooks 1.0). It holds little on purpose: ask the service for more. */
export interface WebhookEvent {
  /** The same in all attempts and repetitions: handle each id once. */
  readonly id: string;
  /** `session.scanned`, `session.confirmed`, `session.completed`, `session.cancelled`, `session.expired` or `endpoint.ping`; more may be added. */
  readonly type: string;
  /** When it happened: RFC 3339. */
  readonly timestamp: string;
  /** Of a session: `sessionId`, `status`, `signatureType`, `sequence`. Ignore a sequence that is lower than one already seen. */
  readonly data: {
    readonly sessionId?: string;
    readonly status?: string;
    readonly signatureType?: 'AUTHENTICATION' | 'SIGNING';
    readonly sequence?: number;
    readonly endpointId?: string;
  };
}

export type WebhookFault = 'HEADER_MISSING' | 'TIMESTAMP_TOO_FAR' | 'SIGNATURE_DIFFERENT' | 'BODY_UNREADABLE';

/** The message does not come from the service, or it is too old. Answer 400 and do nothing. */
export class WebhookRefused extends CountersignError {
  constructor(readonly reason: WebhookFault) {
    super(`the webhook is refused: ${reason}`);
  }
}

export interface WebhookRequest {
  /** With lower-case names, as web frameworks give them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The received bytes. A body that was parsed and serialized again has another signature. */
  readonly body: string | Uint8Array;
  /** `whsec_…`: the endpoint's secret; during a rotation the new one and the old one. */
  readonly secrets: readonly string[];
  /** Epoch milliseconds. Default: the current time. */
  readonly now?: number;
}

/** How far the header's time may differ from ours, in seconds. */
const TOLERANCE = 300;
const PREFIX = 'whsec_';

/**
 * Checks signature and time and returns the event. Throws {@link WebhookRefused}, and a TypeError for malformed secrets.
 */
export const verifyWebhook = ({ headers, body, secrets, now = Date.now() }: WebhookRequest): WebhookEvent => {
  const keys = secrets.map(keyOf);
  if (keys.length === 0) throw new TypeError('no webhook secret is given');
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') throw new WebhookRefused('HEADER_MISSING');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE) throw new WebhookRefused('TIMESTAMP_TOO_FAR');
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const expected = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest());
  if (!signatures.split(' ').some((signature) => isOneOf(expected, signature))) throw new WebhookRefused('SIGNATURE_DIFFERENT');
  return { id, ...read(bytes) };
};

/**
 * Verifies a message, hands it to `take`, and returns the status to answer: 204, or 400 for a message that is not from the service. A server that answers so
 * has proved itself when the service asks for it. `take` stores the event; what it throws is passed on, and the service sends the message again. It does not
 * get `endpoint.ping`. Throws a TypeError for malformed secrets.
 */
export const receiveWebhook = async (request: WebhookRequest, take: (event: WebhookEvent) => void | Promise<void>): Promise<204 | 400> => {
  let event: WebhookEvent;
  try {
    event = verifyWebhook(request);
  } catch (error) {
    if (error instanceof WebhookRefused) return 400;
    throw error;
  }
  if (event.type !== 'endpoint.ping') await take(event);
  return 204;
};

export interface MessageToSign {
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  /** `whsec_…` */
  readonly secret: string;
  /** Of the attempt, epoch milliseconds. */
  readonly now: number;
}

/** The headers by which a receiver verifies the message. Throws a TypeError for a malformed secret. */
export const signedHeaders = ({ id, body, secret, now }: MessageToSign): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
};

const keyOf = (secret: string): Buffer => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (!secret.startsWith(PREFIX) || key.length < 24) throw new TypeError('a webhook secret begins with whsec_ and holds at least 24 bytes');
  return key;
};

/** Compares with all of them, each in constant time. Versions other than v1 are ignored. */
const isOneOf = (expected: readonly Buffer[], signature: string): boolean => {
  const [version, text = ''] = signature.split(',');
  const given = Buffer.from(text, 'base64');
  return version === 'v1' && expected.filter((each) => each.length === given.length && timingSafeEqual(each, given)).length > 0;
};

const read = (bytes: Uint8Array): Omit<WebhookEvent, 'id'> => {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new WebhookRefused('BODY_UNREADABLE');
  }
  const { type, timestamp, data } = (json ?? {}) as Partial<WebhookEvent>;
  if (typeof type !== 'string' || typeof timestamp !== 'string' || typeof data !== 'object' || data === null)
    throw new WebhookRefused('BODY_UNREADABLE');
  return { type, timestamp, data };
};
