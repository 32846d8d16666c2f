import { createHash, createHmac, type JsonWebKey, KeyObject, generateKeyPairSync, randomBytes, randomInt, randomUUID, sign } from 'node:crypto';

import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';

import type { Answer } from './http.js';
import { secret } from './secrets.js';
import type { Service } from './service.js';

export interface Proof {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact JWS with ES256 (RFC 7515, RFC 7518 section 3.4) of the given header and claims. */
export const compactJws = ({ header, claims }: Proof, key: KeyObject): string => {
  const content = `${base64url(header)}.${base64url(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return secret('device proof', `${content}.${signature.toString('base64url')}`);
};

const newSigningKeys = () => crypto.subtle.generateKey(P256, true, ['sign', 'verify']);

export const newSigningRequest = async (given?: Awaited<ReturnType<typeof newSigningKeys>>): Promise<string> => {
  const keys = given ?? (await newSigningKeys());
  const request = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=phone', keys, signingAlgorithm: P256 });
  return Buffer.from(request.rawData).toString('base64');
};

/** A phone written from the interface alone: its keys, its PIN, its clock, and `/app/v1` (specification/app.md). */
export class Phone {
  readonly #key: KeyObject;
  readonly #jwk: JsonWebKey;
  readonly #pinKey = randomBytes(32);
  readonly #scanned = new Map<string, { readonly toBeSigned: string; readonly key: KeyObject }>();
  #signingKey: KeyObject | undefined;
  /** How far the service's clock is ahead, by its own answer, in seconds. */
  #clockAhead = 0;
  deviceId = '';

  constructor(
    private readonly service: Service,
    readonly pin = secret('PIN', String(randomInt(1e11, 1e12))),
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#jwk = publicKey.export({ format: 'jwk' });
  }

  get key(): KeyObject {
    return this.#key;
  }

  async enrolmentBody(activationCode: string): Promise<Record<string, unknown>> {
    const keys = await newSigningKeys();
    this.#signingKey = KeyObject.from(keys.privateKey);
    return {
      activation_code: secret('activation code', activationCode),
      name: secret('personal datum', `Phone of ${randomBytes(6).toString('hex')}`),
      platform: 'conformance suite',
      signing_csr: await newSigningRequest(keys),
      pin_proof: this.pinProof(),
    };
  }

  async enrol(activationCode: string): Promise<this> {
    const answer = await this.tryEnrol(await this.enrolmentBody(activationCode));
    if (answer.status !== 200) throw new Error(`enrolment: ${answer.status} ${answer.text}`);
    this.deviceId = answer.json!['deviceId'] as string;
    return this;
  }

  tryEnrol(body: unknown): Promise<Answer> {
    return this.call('POST', '/app/v1/device', body);
  }

  pinProof(pin = this.pin): string {
    return secret('pin_proof', createHmac('sha256', this.#pinKey).update(pin).digest('base64url'));
  }

  /** The proof for one call; change it to see it refused. */
  proof(method: string, path: string, body = ''): Proof {
    return {
      header: { typ: 'device-proof+jwt', alg: 'ES256', ...(this.deviceId ? { kid: this.deviceId } : { jwk: this.#jwk }) },
      claims: {
        htm: method,
        htu: path,
        iat: Math.floor(Date.now() / 1000) + this.#clockAhead,
        jti: randomUUID(),
        bsh: createHash('sha256').update(body).digest('base64url'),
      },
    };
  }

  /** One call with a fresh proof, which names the path without the query; once more when the service says that the phone's clock is wrong. */
  async call(method: string, path: string, json?: unknown, headers: Record<string, string> = {}, sentPath = path): Promise<Answer> {
    const body = json === undefined ? '' : JSON.stringify(json);
    const answer = await this.callWith(compactJws(this.proof(method, path, body), this.#key), method, sentPath, body, headers);
    const now = (answer.json?.['payload'] as { now?: number } | null | undefined)?.now;
    if (answer.status !== 401 || now === undefined) return answer;
    const ahead = now - Math.floor(Date.now() / 1000);
    if (Math.abs(ahead - this.#clockAhead) < 5) return answer;
    this.#clockAhead = ahead;
    return this.call(method, path, json, headers, sentPath);
  }

  callWith(proof: string, method: string, path: string, body = '', headers: Record<string, string> = {}): Promise<Answer> {
    return this.service.send({ method, path, headers: { 'device-proof': proof, ...headers }, ...(body !== '' && { raw: body }) });
  }

  /** GET session: who asks. `frame`: of a code that changes. */
  preview(sessionId: string, frame: Record<string, string | number> = {}): Promise<Answer> {
    const path = `/app/v1/session/${sessionId}`;
    const query = Object.entries(frame)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    return this.call('GET', path, undefined, {}, query === '' ? path : `${path}?${query}`);
  }

  async scan(sessionId: string, body: Record<string, unknown> = {}): Promise<Answer> {
    const answer = await this.call('POST', `/app/v1/session/${sessionId}/scan`, body);
    const { signatureType, toBeSigned } = answer.json ?? {};
    const key = signatureType === 'SIGNING' ? this.#signingKey : this.#key;
    if (answer.status === 200 && key) this.#scanned.set(sessionId, { toBeSigned: toBeSigned as string, key });
    return answer;
  }

  /** Base64, IEEE P1363, over the bytes of the scan's `toBeSigned`; with the signing key when the session is SIGNING. */
  signature(
    sessionId: string,
    toBeSigned = this.#scanned.get(sessionId)?.toBeSigned ?? '',
    key = this.#scanned.get(sessionId)?.key ?? this.#key,
  ): string {
    return sign('sha256', Buffer.from(toBeSigned, 'base64'), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  }

  /** @param code the verification code of a pushed session */
  confirm(
    sessionId: string,
    { pin = this.pin, signature = this.signature(sessionId), code = undefined as string | undefined } = {},
  ): Promise<Answer> {
    return this.call('POST', `/app/v1/session/${sessionId}/confirm`, { pin_proof: this.pinProof(pin), signature, verification_code: code });
  }

  judgePin(sessionId: string, { pin = this.pin, code = undefined as string | undefined } = {}): Promise<Answer> {
    return this.call('POST', `/app/v1/session/${sessionId}/pin`, { pin_proof: this.pinProof(pin), verification_code: code });
  }

  decline(sessionId: string, reason = 'DECLINED'): Promise<Answer> {
    return this.call('POST', `/app/v1/session/${sessionId}/decline`, { reason });
  }

  pending(headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('GET', '/app/v1/session/pending', undefined, headers);
  }

  async pendingIds(): Promise<string[]> {
    return ((await this.pending()).json!['sessions'] as { sessionId: string }[]).map(({ sessionId }) => sessionId);
  }

  show(): Promise<Answer> {
    return this.call('GET', '/app/v1/device');
  }

  /** A PIN that is not this phone's. */
  wrongPin(n = 0): string {
    return secret('PIN', String((BigInt(this.pin) + 1n + BigInt(n)) % 10n ** 12n).padStart(12, '0'));
  }
}
