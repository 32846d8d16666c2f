import { hash, type KeyObject, verify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { Name } from '@peculiar/x509';

import { SystemRandomness } from '#kernel';

import { Certificate } from '#signatures/pki';
import type { CertificateProfile } from '#signatures/pki';
import { issueCertificate, newSerial } from '#signatures/pki';
import { commonNameIn, readSigningRequest } from '#signatures/pki';
import { issuerOf, type TrustServiceUnit } from '#signatures/pki';
import { type Peer, type PeerAnswer, startPeer } from './peer.js';
import { PROFILES } from './test-certificates.js';

/** A call as it reached the server, and was permitted. */
export interface StepCaCall {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface StepCaServerOptions {
  readonly provisioner: { readonly name: string; readonly keyId: string; readonly publicKey: KeyObject };
  readonly issuer: TrustServiceUnit;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly profile?: CertificateProfile;
  /** The chain in its answers. Default: the issuer alone, as step-ca has it. */
  readonly above?: readonly Certificate[];
  /** Replaces the answer to a permitted call. */
  readonly answer?: (call: StepCaCall) => PeerAnswer | undefined | Promise<PeerAnswer | undefined>;
}

export interface StepCaServer extends Peer {
  readonly calls: readonly StepCaCall[];
}

const HOUR = 3_600_000;

/** An answer of step-ca in JSON. */
export const stepCaAnswer = (status: number, body: object): PeerAnswer => ({
  type: 'application/json',
  status,
  body: Buffer.from(JSON.stringify(body)),
});

const parse = (text: string): Readonly<Record<string, unknown>> => JSON.parse(text) as Record<string, unknown>;

/** A server that issues and revokes as step-ca does for a JWK provisioner, and can be made to answer wrongly. */
export const startStepCaServer = async (options: StepCaServerOptions): Promise<StepCaServer> => {
  const calls: StepCaCall[] = [];
  const used = new Set<unknown>();
  const peer = await startPeer(async (bytes, request) => {
    const body = parse(bytes.toString());
    const claims = permittedBy(String(body['ott']), request, options);
    if (typeof claims === 'string') return stepCaAnswer(401, { status: 401, message: claims });
    if (used.has(claims['jti'])) return stepCaAnswer(401, { status: 401, message: 'token already used' });
    used.add(claims['jti']);
    const call = { path: request.url ?? '', body, claims };
    calls.push(call);
    const replaced = await options.answer?.(call);
    if (replaced) return replaced;
    return call.path === '/1.0/revoke' ? stepCaAnswer(200, { status: 'ok' }) : issue(call, options);
  });
  return Object.assign(peer, { calls });
};

/** The claims of a token that permits the call, or what is wrong with it. */
const permittedBy = (
  token: string,
  { url = '', headers }: IncomingMessage,
  { provisioner, now }: StepCaServerOptions,
): Readonly<Record<string, unknown>> | string => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { alg, kid } = parse(Buffer.from(header, 'base64url').toString());
  if (alg !== 'ES256' || kid !== provisioner.keyId) return 'the provisioner is not known';
  const key = { key: provisioner.publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return 'the token is not signed by its key';
  const claims = parse(Buffer.from(payload, 'base64url').toString());
  if (claims['iss'] !== provisioner.name || claims['aud'] !== `http://${headers.host}${url}`) return 'the token is for something else';
  const seconds = now() / 1000;
  return Number(claims['nbf']) <= seconds && seconds < Number(claims['exp']) ? claims : 'the token has ended';
};

const issue = async ({ body, claims }: StepCaCall, options: StepCaServerOptions): Promise<PeerAnswer> => {
  const csr = Buffer.from(String(body['csr']).replaceAll(/-----[^-]+-----/g, ''), 'base64');
  const { 'x5rt#S256': fingerprint } = claims['cnf'] as Record<string, unknown>;
  if (fingerprint !== hash('sha256', csr, 'base64url')) return stepCaAnswer(403, { status: 403, message: 'fingerprint does not match' });
  const commonName = commonNameIn(csr);
  const permitted: unknown[] = [undefined, claims['sub'], ...((claims['sans'] ?? []) as unknown[])];
  if (!permitted.includes(commonName)) return stepCaAnswer(403, { status: 403, message: 'the request does not contain the valid common name' });
  const { issuer, now, profile = PROFILES.signer(), above = [Certificate.parse(issuer.certificate)] } = options;
  const made = await issueCertificate(
    {
      profile: { ...profile, subject: new Name(Buffer.from(String(claims['subjectName']), 'base64')) },
      spki: readSigningRequest(csr).spki,
      serial: newSerial(new SystemRandomness()),
      notBefore: now() - HOUR,
      notAfter: now() + 365 * 24 * HOUR,
    },
    issuerOf(issuer),
  );
  const certChain = [Certificate.parse(made), ...above].map(({ pem }) => pem);
  return stepCaAnswer(201, { crt: certChain[0], ca: certChain[1], certChain });
};
