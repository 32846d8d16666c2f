import 'reflect-metadata';

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Name } from '@peculiar/x509';

import { requestedIn } from './cmp-server.js';
import { BODY, readMessage } from '#signatures/pki';
import type { SharedSecret } from '#signatures/pki';
import { type OpensslCmpServer, startOpensslCmpServer } from './openssl-cmp-server.js';
import { type PeerAnswer, startPeer } from './peer.js';

export interface OpensslTrustServices extends AsyncDisposable {
  /** The settings of a service that uses them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The root's certificate (PEM). */
  readonly rootFile: string;
  /** The number of certificates that were issued. */
  readonly issued: () => number;
}

/** The path of a file in the folder of the trust services. */
type Path = (name: string) => string;

/**
 * Trust services of another house, by OpenSSL's programs alone: a certificate authority that answers by CMP, its OCSP responder, a time-stamping authority,
 * and the root's list of revoked certificates. `folder` is made, and belongs to the caller. `personUse`: the key usage of the persons' certificates, as OpenSSL writes it.
 */
export const startOpensslTrustServices = async (folder: string, personUse = 'nonRepudiation'): Promise<OpensslTrustServices> => {
  const path: Path = (name) => join(folder, name);
  const openssl = async (...parameters: readonly string[]): Promise<string> =>
    (await promisify(execFile)('openssl', [...parameters], { cwd: folder })).stdout;
  const secret: SharedSecret = { reference: 'countersign', secret: randomBytes(18).toString('base64url') };
  const transactions = new Map<string, OpensslCmpServer>();
  let issued = 0;
  let requests = 0;

  /** Issues `<name>.pem` for the key in `<name>.pub`. */
  const issue = async (name: string, { by, subject, section }: { by: string; subject: string; section: string }): Promise<void> => {
    const serial = `4${randomBytes(8).toString('hex').toUpperCase()}`.slice(0, 16);
    // Only `req` takes names in UTF-8. The request is signed by the issuer's key, and the certificate gets the other one.
    await openssl('req', '-config', 'openssl.cnf', '-new', '-utf8', '-subj', subject, '-key', `${by}.key`, '-out', `${name}.csr`);
    const content = ['-in', `${name}.csr`, '-force_pubkey', `${name}.pub`, '-extfile', 'openssl.cnf', '-extensions', section];
    const issuer = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-set_serial', `0x${serial}`, '-days', '365'];
    await openssl('x509', '-req', ...content, ...issuer, '-out', `${name}.pem`);
    // The responder's database: valid, its end, no revocation, serial, no file, and a subject that no other certificate has.
    if (by === 'issuing') await appendFile(path('index.txt'), `V\t491231235959Z\t\t${serial}\tunknown\t/CN=${serial}\n`);
  };

  /** OpenSSL's server answers with the one certificate that it was started with: it is made for the key and the person of the request. */
  const answerCmp = async (body: Buffer): Promise<Buffer> => {
    const message = readMessage(body);
    const id = message.transactionId?.toString('hex') ?? '';
    if (message.type === BODY.cr) {
      const { spki, subject } = requestedIn(message);
      const name = `person-${id}`;
      await writeFile(path(`${name}.der`), spki);
      await openssl('pkey', '-pubin', '-inform', 'DER', '-in', `${name}.der`, '-out', `${name}.pub`);
      await issue(name, { by: 'issuing', subject: subjectText(subject), section: 'person' });
      const issuing = ['-rsp_cert', `${name}.pem`, '-rsp_extracerts', 'issuing.pem', '-accept_raverified'];
      const protection = ['-srv_ref', secret.reference, '-srv_secret', `pass:${secret.secret}`];
      transactions.set(id, await startOpensslCmpServer(folder, [...issuing, ...protection]));
      issued += 1;
    }
    const server = transactions.get(id);
    if (!server) throw new Error('a message without a transaction');
    return server.ask(body);
  };

  const reply = async (body: Buffer, program: (asked: string, answer: string) => readonly string[]): Promise<Buffer> => {
    const [asked, answer] = [`${++requests}.asked`, `${requests}.answer`];
    await writeFile(path(asked), body);
    await openssl(...program(asked, answer));
    return readFile(path(answer));
  };

  const services: Readonly<Record<string, (body: Buffer) => Promise<PeerAnswer>>> = {
    '/cmp': async (body) => ({ type: 'application/pkixcmp', body: await answerCmp(body) }),
    '/ocsp': async (body) => ({
      type: 'application/ocsp-response',
      body: await reply(body, (asked, answer) => [...OCSP, '-reqin', asked, '-respout', answer]),
    }),
    '/tsa': async (body) => ({
      type: 'application/timestamp-reply',
      body: await reply(body, (asked, answer) => [...TSA, '-queryfile', asked, '-out', answer]),
    }),
    '/root.crl': async () => {
      await openssl('ca', '-config', 'openssl.cnf', '-name', 'list', '-gencrl', '-cert', 'root.pem', '-keyfile', 'root.key', '-out', 'crl.pem');
      return {
        type: 'application/pkix-crl',
        body: await reply(Buffer.of(), (_, answer) => ['crl', '-in', 'crl.pem', '-outform', 'DER', '-out', answer]),
      };
    },
  };
  // One request at a time: the programs count in files.
  let turn: Promise<unknown> = Promise.resolve();
  const peer = await startPeer((body, { url }) => {
    const service = services[url ?? ''] ?? (async () => ({ type: 'text/plain', status: 404, body: Buffer.of() }));
    const answer = turn.then(() => service(body)).catch((error: unknown) => ({ type: 'text/plain', status: 500, body: Buffer.from(String(error)) }));
    turn = answer;
    return answer;
  });
  const at = peer.url.replace(/\/$/, '');

  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(path('openssl.cnf'), configuration(at, personUse)),
    ...['index.txt', 'root-index.txt'].map((name) => writeFile(path(name), '')),
    ...['tsa-serial', 'crl-number'].map((name) => writeFile(path(name), '01\n')),
    writeFile(path('cmp-secret'), `${secret.reference}:${secret.secret}\n`, { mode: 0o600 }),
  ]);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const root = ['-keyout', 'root.key', '-subj', '/CN=Foreign root', '-extensions', 'root', '-out', 'root.pem'];
  await openssl('req', '-config', 'openssl.cnf', '-x509', ...key, ...root);
  for (const [name, by] of [
    ['issuing', 'root'],
    ['responder', 'issuing'],
    ['tsa', 'root'],
  ] as const) {
    await openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', `${name}.key`);
    await openssl('pkey', '-in', `${name}.key`, '-pubout', '-out', `${name}.pub`);
    await issue(name, { by, subject: `/CN=Foreign ${name}`, section: name });
  }

  return {
    rootFile: path('root.pem'),
    issued: () => issued,
    settings: {
      CA_CMP_URL: `${at}/cmp`,
      CA_CMP_SECRET_FILE: path('cmp-secret'),
      CA_ISSUERS: path('issuing.pem'),
      TRUST_ANCHORS: path('root.pem'),
      TSA_URLS: `${at}/tsa`,
      TSA_ISSUERS: path('root.pem'),
    },
    [Symbol.asyncDispose]: async () => {
      await peer[Symbol.asyncDispose]();
      for (const server of transactions.values()) await server[Symbol.asyncDispose]();
    },
  };
};

const OCSP = ['ocsp', '-index', 'index.txt', '-CA', 'issuing.pem', '-rsigner', 'responder.pem', '-rkey', 'responder.key', '-nmin', '10'];
const TSA = ['ts', '-reply', '-config', 'openssl.cnf', '-section', 'stamps', '-signer', 'tsa.pem', '-inkey', 'tsa.key'];

/** A DER Name as OpenSSL takes it on its command line. */
const subjectText = (der: Buffer): string =>
  new Name(der as Buffer<ArrayBuffer>)
    .toJSON()
    .flatMap((names) => Object.entries(names))
    .flatMap(([type, values]) => values.map((value) => `/${type === 'G' ? 'givenName' : type}=${value.replaceAll(/[\\/+]/g, String.raw`\$&`)}`))
    .join('');

const configuration = (at: string, personUse: string): string => `
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[issuing]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
crlDistributionPoints = URI:${at}/root.crl
[responder]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = OCSPSigning
noCheck = ignored
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
crlDistributionPoints = URI:${at}/root.crl
[person]
basicConstraints = CA:FALSE
keyUsage = critical, ${personUse}
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
authorityInfoAccess = OCSP;URI:${at}/ocsp
[list]
database = root-index.txt
crlnumber = crl-number
default_md = sha256
default_crl_days = 7
[stamps]
serial = tsa-serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.3.6.1.4.1.32473.1.9
digests = sha256, sha384, sha512
ess_cert_id_alg = sha256
accuracy = secs:1
ordering = yes
[req]
distinguished_name = none
[none]
`;
