import { readReply, type Reply, type ScanLink, type ServerClock } from '#web-page/browser';
import type { DeviceKeys } from '../crypto/device-keys.js';
import { deviceProof, type Prover } from '../crypto/device-proof.js';
import { readSessionRequest, type SessionRequest } from './session-request.js';

export interface EnrolRequest {
  readonly activation_code: string;
  readonly name: string;
  readonly platform: string;
  readonly signing_csr: string;
  readonly pin_proof: string;
}

export interface Enrolled {
  readonly deviceId: string;
  readonly name: string;
  /** base64 DER. Absent, with the chain, if the service signs nothing. */
  readonly signingCertificate?: string;
  readonly certificateChain?: readonly string[];
}

export interface DeviceStatus {
  readonly status: string;
  /** Epoch seconds; absent on a LOCKED device: only a new enrolment unlocks it. */
  readonly lockedUntil?: number;
}

export interface PushedSession {
  readonly sessionId: string;
  readonly expiresAt: number;
  /** Absent on a locked phone, and if the service does not answer it. */
  readonly relyingPartyName?: string;
  readonly signing?: boolean;
}

export interface Confirmed {
  /** Of a hosted login that was opened by a link: where this browser goes on. */
  readonly returnUrl?: string;
}

/** Where and under which keys this browser takes pushes. */
export interface PushKeys {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A request that is signed in advance, for when there is no time to sign one. */
export interface ReadyRequest {
  readonly url: string;
  readonly init: RequestInit;
}

type Json = Readonly<Record<string, unknown>>;
type Reader<Body> = (body: Json) => Body | undefined;

const WAIT_SECONDS = 25;
const GRACE_MS = 10_000;
const PUSH = '/app/v1/push-subscription';

/** The calls of one device to `/app/v1`, each with its proof. */
export class PhoneApi {
  constructor(
    private readonly baseUrl: string,
    private readonly clock: ServerClock,
    private readonly send: typeof fetch = (input, init) => fetch(input, init),
  ) {}

  enrol(keys: DeviceKeys, request: EnrolRequest): Promise<Reply<Enrolled>> {
    return this.call({ key: keys.authentication, enrolling: true }, 'POST', '/app/v1/device', request, readEnrolled);
  }

  device(prover: Prover): Promise<Reply<DeviceStatus>> {
    return this.call(prover, 'GET', '/app/v1/device', undefined, readDevice);
  }

  /** @param via how the phone came to the session; absent: by the QR code */
  scan(prover: Prover, { sessionId, t, a, returnUrl }: ScanLink, via?: 'link' | 'push'): Promise<Reply<SessionRequest>> {
    const body = { t, a, return_url: returnUrl, via };
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/scan`, body, readSessionRequest);
  }

  /** Asks for the judgement of the PIN alone; the arguments are those of {@link confirm}. */
  judgePin(prover: Prover, sessionId: string, pinProof: string, code?: string): Promise<Reply<true>> {
    const body = { pin_proof: pinProof, verification_code: code };
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/pin`, body, ({ accepted }) => accepted === true || undefined);
  }

  /** @param code of a pushed session: the verification code that the person chose */
  confirm(prover: Prover, sessionId: string, pinProof: string, signature: string, code?: string): Promise<Reply<Confirmed>> {
    const body = { pin_proof: pinProof, signature, verification_code: code };
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/confirm`, body, readConfirmed);
  }

  decline(prover: Prover, sessionId: string): Promise<Reply<string>> {
    return this.call(prover, 'POST', `${sessionPath(sessionId)}/decline`, { reason: 'DECLINED' }, readStatus);
  }

  /** The message that this page was left, for `fetch` with `keepalive`. Its proof is valid for a minute. */
  async prepareLeaveMessage(prover: Prover, sessionId: string): Promise<ReadyRequest> {
    const path = `${sessionPath(sessionId)}/decline`;
    const init = await this.request(prover, 'POST', path, JSON.stringify({ reason: 'LEFT' }));
    return { url: `${this.baseUrl}${path}`, init: { ...init, keepalive: true } };
  }

  /** Sessions pushed to this person; the service holds the answer until there is one. */
  pending(prover: Prover, signal: AbortSignal): Promise<Reply<readonly PushedSession[]>> {
    const options = { headers: { prefer: `wait=${WAIT_SECONDS}, return=representation` }, signal };
    return this.call(prover, 'GET', '/app/v1/session/pending', undefined, readPending, options);
  }

  /** The key to subscribe to pushes with; '' if the service sends none. */
  pushKey(prover: Prover): Promise<Reply<string>> {
    return this.call(prover, 'GET', PUSH, undefined, ({ publicKey }) => (typeof publicKey === 'string' ? publicKey : ''));
  }

  takePushes(prover: Prover, keys: PushKeys): Promise<Reply<true>> {
    return this.call(prover, 'PUT', PUSH, keys, () => true);
  }

  private async call<Body>(
    prover: Prover,
    method: string,
    path: string,
    json: object | undefined,
    read: Reader<Body>,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal } = {},
  ): Promise<Reply<Body>> {
    const body = json === undefined ? '' : JSON.stringify(json);
    const attempt = async (): Promise<Reply<Body>> => {
      const timeout = AbortSignal.timeout(WAIT_SECONDS * 1000 + GRACE_MS);
      const init = await this.request(prover, method, path, body, options.headers);
      const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
      const response = await this.send(`${this.baseUrl}${path}`, { ...init, signal });
      return readReply(response, read);
    };
    try {
      const reply = await attempt();
      return this.correctedClock(reply) ? await attempt() : reply;
    } catch {
      return { kind: 'UNREACHABLE' };
    }
  }

  private async request(
    prover: Prover,
    method: string,
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RequestInit> {
    const proof = await deviceProof(prover, { method, path, body }, this.clock.now());
    return {
      method,
      headers: { ...headers, 'device-proof': proof, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      ...(body === '' ? {} : { body }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    };
  }

  /** A refused proof carries the service's time. When the local clock was wrong, the call is repeated once. */
  private correctedClock(reply: Reply<unknown>): boolean {
    if (reply.kind !== 'REFUSED' || reply.errorCode !== 'invalid_device_proof') return false;
    const { payload } = reply;
    if (typeof payload !== 'object' || payload === null || !('now' in payload)) return false;
    const before = this.clock.now();
    this.clock.learn(Number(payload.now) * 1000);
    return Math.abs(this.clock.now() - before) > 2000;
  }
}

const sessionPath = (sessionId: string): string => `/app/v1/session/${encodeURIComponent(sessionId)}`;

const readEnrolled = ({ deviceId, name, signingCertificate, certificateChain }: Json): Enrolled | undefined =>
  typeof deviceId === 'string'
    ? {
        deviceId,
        name: typeof name === 'string' ? name : '',
        ...(typeof signingCertificate === 'string' && { signingCertificate }),
        ...(Array.isArray(certificateChain) && { certificateChain: certificateChain.filter((item) => typeof item === 'string') }),
      }
    : undefined;

const readDevice = ({ status, lockedUntil }: Json): DeviceStatus | undefined =>
  typeof status === 'string' ? { status, ...(typeof lockedUntil === 'number' ? { lockedUntil } : {}) } : undefined;

const readConfirmed = ({ status, returnUrl }: Json): Confirmed | undefined =>
  typeof status === 'string' ? { ...(typeof returnUrl === 'string' && { returnUrl }) } : undefined;

const readStatus = ({ status }: Json): string | undefined => (typeof status === 'string' ? status : undefined);

const readPending = ({ sessions }: Json): readonly PushedSession[] | undefined =>
  Array.isArray(sessions) ? sessions.flatMap(readPushed) : undefined;

const readPushed = (json: unknown): readonly PushedSession[] => {
  if (typeof json !== 'object' || json === null) return [];
  const { sessionId, expiresAt, relyingPartyName, signatureType } = json as Json;
  if (typeof sessionId !== 'string' || typeof expiresAt !== 'number') return [];
  const named = typeof relyingPartyName === 'string' && relyingPartyName !== '';
  return [{ sessionId, expiresAt, ...(named && { relyingPartyName, signing: signatureType === 'SIGNING' }) }];
};
