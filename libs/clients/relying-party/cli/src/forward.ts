import { signedHeaders } from '../../src/webhook.js';

/** A webhook as the service would send it. */
export interface Webhook {
  /** Its `webhook-id`. */
  readonly id: string;
  /** The bytes that are signed. */
  readonly body: string;
}

/** The status of the answer, or why there was none. */
export type Forwarded = number | 'no connection' | 'no answer in 15 s';

/** Milliseconds, as long as the service waits for a receiver. */
const TIMEOUT = 15_000;

/** Posts a webhook to the own server, signed at this moment (Standard Webhooks 1.0). Follows no redirect. */
export const forward = async (to: string, { id, body }: Webhook, secret: string, signal: AbortSignal): Promise<Forwarded> => {
  const time = AbortSignal.timeout(TIMEOUT);
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Countersign-Webhooks/1',
        ...signedHeaders({ id, body, secret, now: Date.now() }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([time, signal]),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return time.aborted ? 'no answer in 15 s' : 'no connection';
  }
};
