import type { KeyObject } from 'node:crypto';

import { judgeProofRefusal } from '#clients/device';
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
   * A string is sent as it is, an object as JSON. When the service says that the proof was made at another time, the clock is corrected and
   * the call repeated once; a tampered call never is. Rejects as fetch does.
   */
  async call<Body>(method: string, path: string, body?: object | string, options: CallOptions = {}): Promise<Reply<Body>> {
    const madeAt = this.#now();
    const reply = await this.#send<Body>(method, path, body, options, madeAt);
    if (options.tamper || reply.ok || reply.body.errorCode !== 'invalid_device_proof') return reply;
    const refusal = judgeProofRefusal(reply.body.payload, madeAt);
    if (refusal.kind !== 'WRONG_CLOCK') return reply;
    this.#ahead = refusal.serviceNow - this.#clock.now();
    return this.#send<Body>(method, path, body, options, this.#now());
  }

  /** Epoch milliseconds of the service, as far as it is known. */
  #now(): number {
    return this.#clock.now() + this.#ahead;
  }

  async #send<Body>(method: string, path: string, body: object | string | undefined, options: CallOptions, madeAt: number): Promise<Reply<Body>> {
    const { headers, signal, tamper } = options;
    const url = new URL(this.options.baseUrl + path);
    const proven = new TextEncoder().encode(typeof body === 'object' ? JSON.stringify(body) : (body ?? ''));
    const sent = tamper?.sentBody ?? (body === undefined ? undefined : proven);
    const proof = tamper?.proof === undefined ? this.#proof(method, url.pathname, proven, madeAt, tamper) : tamper.proof;
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

  #proof(method: string, path: string, body: Uint8Array, madeAt: number, tampering: ProofTampering | undefined): string {
    const claims = proofClaims(method, path, body, Math.floor(madeAt / 1000), this.#randomness.uuid());
    return deviceProof(this.options.key, this.options.deviceId, claims, tampering);
  }
}
