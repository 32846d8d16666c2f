import { type ClientId, type Clock, type Decider, hmac, type Randomness, type Secret, type SessionId } from '#kernel';
import { CommandHandler, type EventStore, type StreamName, streamName } from '#event-store';

import { IdempotencyConflict } from '../domain/session.errors.js';

/** How long a key is remembered, in milliseconds (api-extensions 1.17). */
const REMEMBERED = 120_000;

type KeyReserved = {
  readonly type: 'KeyReserved';
  readonly data: { readonly sessionId: SessionId; readonly digest: string; readonly at: number };
};

interface ReserveKey {
  readonly sessionId: SessionId;
  readonly digest: string;
  readonly now: number;
}

/** `Idempotency-Key` of POST session: which session a key stands for, the same on every replica. */
export class IdempotencyKeys {
  readonly #handler: CommandHandler<KeyReserved['data'] | undefined, ReserveKey, KeyReserved>;

  constructor(
    private readonly store: EventStore,
    /** Never rotates: a repetition must find the stream of the first try. */
    private readonly key: Secret<Buffer>,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    this.#handler = new CommandHandler(store, keyDecider, clock, randomness);
  }

  /**
   * The session id that the key stands for: a new one, or that of the same request less than two minutes ago.
   * Throws IdempotencyConflict when the key came with another request.
   */
  async reserve(clientId: ClientId, key: string, request: object): Promise<SessionId> {
    const body = JSON.stringify(request, Object.keys(request).sort());
    const command = { sessionId: this.randomness.uuid<SessionId>(), digest: this.#mac('idempotency-body', body) };
    const stream = await this.#stream(clientId, key);
    const { state } = await this.#handler.handle(stream, () => ({ ...command, now: this.clock.now() }));
    if (!state) throw new Error('a reserved key has a session');
    return state.sessionId;
  }

  async #stream(clientId: ClientId, key: string): Promise<StreamName> {
    const stream = streamName('idempotency', this.#mac('idempotency-key', clientId, key));
    const [last] = await this.store.read(stream, { direction: 'backwards', limit: 1 });
    if (!last) await this.store.setRetention(stream, { maxCount: 1 });
    return stream;
  }

  #mac(...parts: string[]): string {
    return hmac(this.key.reveal(), ...parts).toString('base64url');
  }
}

const keyDecider: Decider<KeyReserved['data'] | undefined, ReserveKey, KeyReserved> = {
  initial: undefined,
  decide({ sessionId, digest, now }, reserved) {
    if (reserved && now < reserved.at + REMEMBERED) {
      if (digest !== reserved.digest) throw new IdempotencyConflict('another body under the same key');
      return [];
    }
    return [{ type: 'KeyReserved', data: { sessionId, digest, at: now } }];
  },
  evolve: (_, event) => event.data,
};
