import type { JsonWebKey, KeyObject } from 'node:crypto';

import { type Clock, type DeviceId, DomainError, epochSeconds, parseId, sha256Base64url } from '#kernel';
import { type Device, type FindDevice, verificationKey } from '#domain/identity';

import { readCompactJws } from './compact-jws.js';
import type { ProofIds } from './proof-ids/proof-ids.js';

/** The proof is missing or wrong. `now` lets a phone with a wrong clock correct itself and repeat. */
export class InvalidDeviceProof extends DomainError {
  readonly code = 'invalid_device_proof';

  constructor(reason: string, now: number) {
    super(reason, undefined, { now: epochSeconds(now) });
  }
}

/** The sender of the request: an enrolled device or, at enrolment, the holder of this key. */
export type Prover = { readonly device: Device } | { readonly authenticationKey: JsonWebKey };

export interface ProvenRequest {
  readonly prover: Prover;
  /** base64url of the SHA-256 that the body must have. */
  readonly bodyHash: string;
  /** The refusal of a device that was revoked after its proof was checked. */
  revoked(): InvalidDeviceProof;
}

/** What a proof has to name. */
export interface ProvableRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** Whether it asks for the enrolment of the key that signs it; otherwise an enrolled device signs. */
  readonly isEnrolment: boolean;
  /** Whether its use case proves the device once more by what it stores, so that the device may be as this process remembers it. Default: it is read. */
  readonly isProvenLater?: boolean;
}

interface Claims {
  readonly htm: string;
  readonly htu: string;
  readonly iat: number;
  readonly jti: string;
  readonly bsh: string;
}

/** How far `iat` may lie from the service's time, in seconds. */
const TOLERANCE = 60;
const LONGEST_PROOF = 4096;

/**
 * `Device-Proof`, a compact JWS that binds one request to the phone's key (specification/app.md#device-proof; the idea of
 * RFC 9449, DPoP).
 */
export class DeviceProofs {
  constructor(
    private readonly findDevice: FindDevice,
    private readonly proofIds: ProofIds,
    private readonly clock: Clock,
  ) {}

  /** Checks all but the body, which has not been read yet. Throws InvalidDeviceProof. */
  async check(proof: unknown, { method, path, isEnrolment, isProvenLater = false }: ProvableRequest): Promise<ProvenRequest> {
    const now = this.clock.now();
    if (typeof proof !== 'string') throw new InvalidDeviceProof('no proof', now);
    if (proof.length > LONGEST_PROOF) throw new InvalidDeviceProof('proof too long', now);
    const { prover, payload } = await this.#verify(proof, { isEnrolment, isProvenLater });
    const claims = parseClaims(payload);
    if (!claims) throw new InvalidDeviceProof('claims missing', now);
    if (claims.htm !== method || claims.htu !== path) throw new InvalidDeviceProof('made for another request', now);
    if (Math.abs(now / 1000 - claims.iat) > TOLERANCE) throw new InvalidDeviceProof('made at another time', now);
    const maker = 'device' in prover ? prover.device.deviceId : JSON.stringify(prover.authenticationKey);
    if (!(await this.proofIds.isNew(sha256Base64url(`${maker} ${claims.jti}`), now))) throw new InvalidDeviceProof('used before', now);
    return new CheckedProof(prover, claims.bsh, this.clock);
  }

  /** Whether these are the bytes that the proof was made for. Throws InvalidDeviceProof. */
  checkBody({ bodyHash }: Pick<ProvenRequest, 'bodyHash'>, body: Buffer | undefined): void {
    if (bodyHash !== sha256Base64url(body ?? '')) throw new InvalidDeviceProof('made for another body', this.clock.now());
  }

  async #verify(
    proof: string,
    { isEnrolment, isProvenLater }: { readonly isEnrolment: boolean; readonly isProvenLater: boolean },
  ): Promise<{ prover: Prover; payload: Uint8Array }> {
    const now = this.clock.now();
    const jws = readCompactJws(proof);
    if (!jws) throw new InvalidDeviceProof('no JWS with ES256', now);
    const { typ, kid, jwk } = jws.header;
    if (typ !== 'device-proof+jwt') throw new InvalidDeviceProof('another type', now);
    const device = isProvenLater ? this.#remembered(kid) : undefined;
    if (device && (await jws.isSignedBy(publicKey(device.authenticationKey, now)))) return { prover: { device }, payload: jws.payload };
    const prover = isEnrolment ? newProver(jwk, now) : await this.#enrolledProver(kid, now);
    const key = publicKey('device' in prover ? prover.device.authenticationKey : prover.authenticationKey, now);
    if (!(await jws.isSignedBy(key))) throw new InvalidDeviceProof('the signature does not verify', now);
    return { prover, payload: jws.payload };
  }

  #remembered(kid: unknown): Device | undefined {
    const deviceId = parseId<DeviceId>(kid);
    return deviceId && this.findDevice.remembered(deviceId);
  }

  async #enrolledProver(kid: unknown, now: number): Promise<Prover> {
    const deviceId = parseId<DeviceId>(kid);
    const device = deviceId && (await this.findDevice.execute(deviceId));
    if (!device || device.status === 'REVOKED') throw new InvalidDeviceProof(device ? 'device revoked' : 'unknown device', now);
    return { device };
  }
}

class CheckedProof implements ProvenRequest {
  readonly #clock: Clock;

  constructor(
    readonly prover: Prover,
    readonly bodyHash: string,
    clock: Clock,
  ) {
    this.#clock = clock;
  }

  revoked(): InvalidDeviceProof {
    return new InvalidDeviceProof('device revoked', this.#clock.now());
  }
}

const COORDINATE = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7517, RFC 7518 section 6.2.1: a public P-256 key and nothing else of it is kept. */
const newProver = (jwk: unknown, now: number): Prover => {
  const { kty, crv, x, y, d } = (typeof jwk === 'object' && jwk !== null ? jwk : {}) as Record<string, unknown>;
  const wellFormed = kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string' && d === undefined;
  if (!wellFormed || !COORDINATE.test(x) || !COORDINATE.test(y)) throw new InvalidDeviceProof('jwk is no public P-256 key', now);
  return { authenticationKey: { kty, crv, x, y } };
};

const publicKey = (key: JsonWebKey, now: number): KeyObject => {
  try {
    return verificationKey(key);
  } catch {
    throw new InvalidDeviceProof('key is not on the curve', now);
  }
};

const parseClaims = (payload: Uint8Array): Claims | undefined => {
  try {
    const claims = JSON.parse(Buffer.from(payload).toString()) as Partial<Claims> | null;
    const { htm, htu, iat, jti, bsh } = claims ?? {};
    const texts = [htm, htu, jti, bsh].every((claim) => typeof claim === 'string' && claim !== '' && claim.length <= 2048);
    return texts && Number.isFinite(iat) ? (claims as Claims) : undefined;
  } catch {
    return undefined;
  }
};
