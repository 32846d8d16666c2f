import type { ClientId, Clock, Secret } from '#kernel';

import type { WebhookMessage } from '../domain/delivery.events.js';
import { signedMessage } from '../domain/message-body.js';

/** The request of a webhook, as a receiver gets it. */
export interface RecordedWebhook {
  /** Counts from 1; a later one has a greater number. */
  readonly number: number;
  /** Of the endpoint. Absent where the client has none. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Request = Omit<RecordedWebhook, 'number'>;

/** Told of webhooks, for whoever has no receiver of its own. */
export interface WebhookRecorder {
  /** An attempt at a delivery begins. */
  sent(clientId: ClientId, request: Request): void;
  /** An event is announced, and the client has no endpoint. `id`: the same each time that it is told of one event. */
  unaddressed(clientId: ClientId, id: string, message: WebhookMessage): void;
}

/** Webhooks that are kept, of all clients together. */
const MOST = 1_000;

interface Kept {
  readonly clientId: ClientId;
  readonly number: number;
  /** The id of an event whose client has no endpoint. */
  readonly id?: string;
  /** Made for each reader: most are never read. */
  readonly request: () => Request;
}

/** The newest webhooks, in memory, for the sandbox. */
export class RecordedWebhooks implements WebhookRecorder {
  readonly #kept: Kept[] = [];
  /** The ids of the kept events whose clients have no endpoint. */
  readonly #ids = new Set<string>();
  #last = 0;

  constructor(
    /** Signs those that have no endpoint. */
    private readonly secret: Secret<string>,
    private readonly clock: Clock,
    private readonly most = MOST,
  ) {}

  sent(clientId: ClientId, { url, headers, body }: Request): void {
    const request = { ...(url !== undefined && { url }), headers, body };
    this.#keep({ clientId, request: () => request });
  }

  unaddressed(clientId: ClientId, id: string, message: WebhookMessage): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    const now = this.clock.now();
    this.#keep({ clientId, id, request: () => signedMessage(id, message, [this.secret], now) });
  }

  /** Those of the client with a greater number, oldest first. */
  of(clientId: ClientId, after: number, limit: number): readonly RecordedWebhook[] {
    return this.#kept
      .filter((kept) => kept.clientId === clientId && kept.number > after)
      .slice(0, limit)
      .map(({ number, request }) => ({ number, ...request() }));
  }

  #keep(kept: Omit<Kept, 'number'>): void {
    this.#kept.push({ number: (this.#last += 1), ...kept });
    if (this.#kept.length <= this.most) return;
    const forgotten = this.#kept.shift();
    if (forgotten?.id !== undefined) this.#ids.delete(forgotten.id);
  }
}
