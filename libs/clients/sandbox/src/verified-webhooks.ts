import { setTimeout as sleep } from 'node:timers/promises';

import { verifyWebhook, type WebhookEvent } from '../../relying-party/src/index.js';
import type { SandboxClient } from './answers.js';
import type { SandboxCalls } from './sandbox-calls.js';
import { SandboxError } from './sandbox-error.js';

/** The secret with which the sandbox signs the webhooks of a client that has no endpoint (docs/specification/sandbox.md#webhooks). Give it to the receiver in your application. */
export const WEBHOOK_SECRET = 'whsec_VNSj3dc/OW3nB6Fti3tUedShZ5edP7Lv3nOo4MjjL0I=';

/** A webhook as it was sent, or would have been sent to an endpoint for all events. */
export interface RecordedWebhook {
  /** Counts up over the webhooks of all clients. */
  readonly number: number;
  /** Of the endpoint; absent where the client has none. */
  readonly url?: string;
  /** With lower-case names. Send these and the {@link body} to your application, to test its receiver. */
  readonly headers: Readonly<Record<string, string>>;
  /** To the letter. */
  readonly body: string;
  /** What the SDK reads in it after it has checked the signature. */
  readonly event: WebhookEvent;
}

export interface WebhookOptions {
  /** Of the client's endpoints, where it has any. Default: that of the sandbox. */
  readonly secrets?: readonly string[];
}

export interface AwaitedWebhook extends WebhookOptions {
  readonly client: Pick<SandboxClient, 'clientId'>;
  /** Such as `session.completed`. */
  readonly type: string;
  /** Default 10 000. */
  readonly timeoutMs?: number;
}

/** Milliseconds between two looks. */
const PAUSE = 50;
const TIME_LIMIT = 10_000;

type Shown = Omit<RecordedWebhook, 'event'>;

/** The webhooks that the sandbox has recorded. */
export class RecordedWebhooks {
  constructor(private readonly calls: SandboxCalls) {}

  /** Oldest first. Throws a `WebhookRefused` of the SDK for one with the signature of another secret. */
  async of({ clientId }: Pick<SandboxClient, 'clientId'>, { secrets = [WEBHOOK_SECRET] }: WebhookOptions = {}): Promise<readonly RecordedWebhook[]> {
    const { webhooks } = await this.calls.send<{ readonly webhooks: readonly Shown[] }>('GET', `/webhooks?client_id=${encodeURIComponent(clientId)}`);
    return webhooks.map((shown) => {
      const { headers, body } = shown;
      // It is as old as its own time: the clock of the sandbox may have moved.
      const now = Number(headers['webhook-timestamp']) * 1000;
      return { ...shown, event: verifyWebhook({ headers, body, secrets, now }) };
    });
  }

  /** The newest of a type, as soon as there is one: it comes a moment after what it tells of. Throws a {@link SandboxError} that names those that came in its place. */
  async next({ client, type, timeoutMs = TIME_LIMIT, ...options }: AwaitedWebhook): Promise<RecordedWebhook> {
    const giveUpAt = performance.now() + timeoutMs;
    for (;;) {
      const webhooks = await this.of(client, options);
      const found = webhooks.findLast(({ event }) => event.type === type);
      if (found) return found;
      if (performance.now() > giveUpAt) {
        const others = webhooks.map(({ event }) => event.type).join(', ') || 'none';
        throw new SandboxError(`no webhook ${type} came within ${timeoutMs} ms; those of the client: ${others}`);
      }
      await sleep(PAUSE);
    }
  }
}
