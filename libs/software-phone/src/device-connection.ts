import type { KeyObject } from 'node:crypto';

import { type Clock, type Randomness, SystemClock, SystemRandomness } from '#kernel';

import { deviceProof, proofClaims, type ProofTampering } from './device-proof.js';
import { readReply, type Reply } from './reply.js';

/** The dependencies of a phone. Each defaults to the system's own. */
export interface PhoneDependencies {
  readonly clock?: Clock;
  readonly randomness?: Randomness;
  readonly fetch?: typeof fetch;
}

export interface ConnectionOptions extends PhoneDependencies {
  /** {base_url}. */
  readonly baseUrl: string;
  /** The private authentication key. */
  readonly key: KeyObject;
  /** Missing at enrolment. */
  readonly deviceId?: string;
}

export interface Tampering extends ProofTampering {
  /** Sent unchanged instead of a proof; null: no proof. */
  readonly proof?: string | null;
  /** Sent instead of the body that the proof was made for. */
  readonly sentBody?: string | Uint8Array<ArrayBuffer>;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly tamper?: Tampering;
}

/** A difference between the clocks that is corrected, in milliseconds. */
const WRONG_CLOCK = 2_000;

/** Requests to `/app/v1`, each with its `Device-Proof`. */
export class DeviceConnection {
  readonly #clock: Clock;
  readonly #randomness: Randomness;
  /** How far the service's clock is ahead of ours, in milliseconds. */
  #ahead = 0;

  constructor(private readonly options: ConnectionOptions) {
    this.#clock = options.clock ?? new SystemClock();
    this.#randomness = options.randomness ?? new SystemRandomness();
  }

  /**
   * A string is sent as it is, an object as JSON. When the service says that the clock is wrong, it is corrected and
   * the call repeated once; a tampered call never is. Rejects as fetch does.
   */
  async call<Body>(method: string, path: string, body?: object | string, options: CallOptions = {}): Promise<Reply<Body>> {
    const reply = await this.#send<Body>(method, path, body, options);
    if (options.tamper || !this.#corrected(reply)) return reply;
    return this.#send<Body>(method, path, body, options);
  }

  async #send<Body>(method: string, path: string, body: object | string | undefined, options: CallOptions): Promise<Reply<Body>> {
    const { headers, signal, tamper } = options;
    const url = new URL(this.options.baseUrl + path);
    const proven = new TextEncoder().encode(typeof body === 'object' ? JSON.stringify(body) : (body ?? ''));
    const sent = tamper?.sentBody ?? (body === undefined ? undefined : proven);
    const proof = tamper?.proof === undefined ? this.#proof(method, url.pathname, proven, tamper) : tamper.proof;
    const response = await (this.options.fetch ?? fetch)(url, {
      method,
      headers: {
        ...(proof !== null && { 'device-proof': proof }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
      ...(signal && { signal }),
      redirect: 'error',
    });
    return readReply<Body>(response);
  }

  #proof(method: string, path: string, body: Uint8Array, tampering: ProofTampering | undefined): string {
    const iat = Math.floor((this.#clock.now() + this.#ahead) / 1000);
    const claims = proofClaims(method, path, body, iat, this.#randomness.uuid());
    return deviceProof(this.options.key, this.options.deviceId, claims, tampering);
  }

  #corrected(reply: Reply<unknown>): boolean {
    const now = reply.ok ? undefined : reply.body.payload?.['now'];
    if (typeof now !== 'number') return false;
    const ahead = now * 1000 - this.#clock.now();
    const wrong = Math.abs(ahead - this.#ahead) > WRONG_CLOCK;
    if (wrong) this.#ahead = ahead;
    return wrong;
  }
}
