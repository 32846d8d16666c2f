import { readReply, type Reply, type ServerClock, withTimeLimit } from '../../../../web-page/calls/src/index.js';
import { deviceProof, type ProvenRequest, type Prover } from '../crypto/device-proof.js';
import { judgeProofRefusal, type ProofRefusal } from './proof-refusal.js';

/** Reads the body of an answer; undefined for anything else than the service answers. */
export type Reader<Body> = (body: Readonly<Record<string, unknown>>) => Body | undefined;

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call. */
  readonly signal?: AbortSignal;
  /** The call continues when the page is closed. */
  readonly keepalive?: boolean;
}

/** A request with its proof, made in advance for a moment without time to make one. */
export interface ReadyRequest {
  readonly url: string;
  readonly init: RequestInit;
}

/** A call, and the time of its proof in epoch milliseconds. */
interface Attempt<Body> {
  readonly reply: Reply<Body>;
  readonly madeAt: number;
}

/** Milliseconds for an answer. The service holds that of the inbox for 25 s. */
const ANSWER_MS = 35_000;

/** Sends the calls of a device, each with a proof of its own. */
export class DeviceCalls {
  constructor(
    private readonly baseUrl: string,
    private readonly clock: ServerClock,
    private readonly fetch: typeof globalThis.fetch,
  ) {}

  /**
   * A proof that the service refuses because it was made at another time corrects the clock, and the call is repeated once. A refused proof
   * that was made in time is answered as REFUSED: the device was revoked. Never rejects.
   */
  async send<Body>(prover: Prover, request: ProvenRequest, read: Reader<Body>, options: CallOptions = {}): Promise<Reply<Body>> {
    try {
      const first = await this.attempt(prover, request, read, options);
      const refusal = refusalOf(first);
      if (refusal?.kind !== 'WRONG_CLOCK') return believed(first);
      this.clock.learn(refusal.serviceNow);
      return believed(await this.attempt(prover, request, read, options));
    } catch {
      return { kind: 'UNREACHABLE' };
    }
  }

  /** The request as it would be sent now. It stays usable for a minute. */
  async prepare(prover: Prover, request: ProvenRequest): Promise<ReadyRequest> {
    const init = await this.prove(prover, request, this.clock.now());
    return { url: `${this.baseUrl}${request.path}`, init: { ...init, keepalive: true } };
  }

  private async attempt<Body>(
    prover: Prover,
    request: ProvenRequest,
    read: Reader<Body>,
    { headers, signal: end, keepalive = false }: CallOptions,
  ): Promise<Attempt<Body>> {
    const madeAt = this.clock.now();
    const init = await this.prove(prover, request, madeAt, headers);
    const send = async (signal: AbortSignal): Promise<Reply<Body>> => {
      const response = await this.fetch(`${this.baseUrl}${request.path}`, { ...init, signal, ...(keepalive && { keepalive }) });
      return readReply(response, read);
    };
    return { reply: await withTimeLimit(ANSWER_MS, send, end), madeAt };
  }

  private async prove(
    prover: Prover,
    { method, path, body }: ProvenRequest,
    madeAt: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RequestInit> {
    const proof = await deviceProof(prover, { method, path: path.replace(/\?.*/, ''), body }, madeAt);
    return {
      method,
      headers: { ...headers, 'device-proof': proof, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      ...(body === '' ? {} : { body }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    };
  }
}

const refusalOf = ({ reply, madeAt }: Attempt<unknown>): ProofRefusal | undefined =>
  reply.kind === 'REFUSED' && reply.errorCode === 'invalid_device_proof' ? judgeProofRefusal(reply.payload, madeAt) : undefined;

/** The reply for callers that take a refused proof for a revocation. Any other refusal of a proof may pass: the same call may be made again. */
const believed = <Body>(attempt: Attempt<Body>): Reply<Body> => {
  const refusal = refusalOf(attempt);
  return refusal === undefined || refusal.kind === 'REVOKED' ? attempt.reply : { kind: 'UNREACHABLE' };
};
