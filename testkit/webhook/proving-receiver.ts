import type { IncomingMessage, ServerResponse } from 'node:http';

import { verifyWebhook, WebhookRefused } from '#clients/relying-party';

/** What a server of a relying party answers to the pings of a proof. A receiver double asks it first, and behaves as its test wants with all else. */
export class ProvingReceiver {
  #secret: string | undefined;
  /** Called before each answer to a ping of a proof; the answer waits for it. */
  answered: () => Promise<void> = async () => undefined;

  /** From now on the pings of a proof are answered; without a secret none are, and pings are messages like all others. */
  prove(secret: string | undefined): void {
    this.#secret = secret;
  }

  /** Answers a ping while a proof is wanted: 204 where it is signed with the secret, else 400. Whether it answered. */
  answer({ headers }: Pick<IncomingMessage, 'headers'>, text: string, response: ServerResponse): boolean {
    if (this.#secret === undefined || (JSON.parse(text) as { type?: unknown }).type !== 'endpoint.ping') return false;
    // One connection for each ping: none is left open for what the test sends afterwards.
    const status = statusFor(headers, text, this.#secret);
    void this.answered().then(() => response.writeHead(status, { connection: 'close' }).end());
    return true;
  }
}

/** 204 for a message that is signed with the secret, 400 for any other. The time of the message counts as now: the service's clock may be a test's. */
const statusFor = (headers: IncomingMessage['headers'], body: string, secret: string): number => {
  try {
    verifyWebhook({ headers, body, secrets: [secret], now: Number(headers['webhook-timestamp']) * 1_000 });
    return 204;
  } catch (error) {
    if (error instanceof WebhookRefused) return 400;
    throw error;
  }
};
