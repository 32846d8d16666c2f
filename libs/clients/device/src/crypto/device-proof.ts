import type { SigningKey } from '../device/keys.js';
import { digest, toBase64url, utf8 } from './bytes.js';
import { p256Point } from './public-key.js';

/** The maker of the proof: an enrolled device by its id, a new one by its public key. */
export type Prover = { readonly key: SigningKey } & ({ readonly deviceId: string } | { readonly enrolling: true });

export interface ProvenRequest {
  readonly method: string;
  /** The path as the service's interface names it, without query. */
  readonly path: string;
  /** The exact text of the body; empty when there is none. */
  readonly body: string;
}

/**
 * The `Device-Proof` header of specification/app.md#device-proof: a compact JWS (RFC 7515) over method, path, body digest and
 * time, with an id of its own so that it can be used once.
 *
 * @param now epoch milliseconds by the service's clock
 */
export const deviceProof = async (prover: Prover, request: ProvenRequest, now: number): Promise<string> => {
  const header = { typ: 'device-proof+jwt', alg: 'ES256', ...(await proverHeader(prover)) };
  const claims = {
    htm: request.method,
    htu: request.path,
    iat: Math.floor(now / 1000),
    jti: toBase64url(crypto.getRandomValues(new Uint8Array(16))),
    bsh: toBase64url(await digest('SHA-256', utf8(request.body))),
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${toBase64url(await prover.key.sign(utf8(signed)))}`;
};

const proverHeader = async (prover: Prover): Promise<{ kid: string } | { jwk: Readonly<Record<string, string>> }> => {
  if ('deviceId' in prover) return { kid: prover.deviceId };
  const { x, y } = p256Point(await prover.key.publicKey());
  return { jwk: { kty: 'EC', crv: 'P-256', x: toBase64url(x), y: toBase64url(y) } };
};

const encode = (json: object): string => toBase64url(utf8(JSON.stringify(json)));
