import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ServiceUnavailable } from '#kernel';

import { makeLocalCertificate } from '../../../../../testkit/processes/local-certificate.ts';
import { answerOcsp } from '../development/answer-ocsp.js';
import { answerTimeStamp } from '../development/answer-time-stamp.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import type { ClientCredentials } from './exchange.js';
import { HttpRevocationSource } from './http-revocation-source.js';
import { HttpTimestampAuthority } from './http-timestamp-authority.js';
import { readKeyStore } from './key-store.js';

const PASSWORD = 'open sesame';
const directory = mkdtempSync(join(tmpdir(), 'mutual-tls-'));
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
const roots = getCACertificates('default');

let kit: DevelopmentKit;
let server: Server;
let url: string;
/** The names in the certificates of the clients that were let in. */
const clients: string[] = [];

/** A key store as an authority hands it out, its certificate issued by that CA (a file name without its end). */
const keyStore = (ca: string, ...kind: readonly string[]): ClientCredentials => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', 'client.key'];
  openssl('req', '-x509', '-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, ...key, '-out', 'client.pem', '-days', '2', '-subj', `/CN=client of ${ca}`);
  openssl('pkcs12', '-export', '-inkey', 'client.key', '-in', 'client.pem', '-passout', `pass:${PASSWORD}`, '-out', 'client.p12', ...kind);
  return readKeyStore(readFileSync(join(directory, 'client.p12')), PASSWORD);
};

const answerTo = async (body: Buffer, { url: path }: IncomingMessage): Promise<readonly [type: string, answer: Buffer]> => {
  const now = kit.clock.now();
  if (path === '/ocsp')
    return ['application/ocsp-response', await answerOcsp(body, { pki: kit.pki, now, lookUp: () => Promise.resolve({ status: 'good' }) })];
  return ['application/timestamp-reply', answerTimeStamp(body, { unit: kit.pki.timestamping, now, randomness: kit.randomness })];
};

beforeAll(async () => {
  kit = await developmentKit();
  const { caFile, certFile, keyFile } = await makeLocalCertificate(directory);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', 'other.key'];
  openssl('req', '-x509', ...key, '-out', 'other.pem', '-days', '2', '-subj', '/CN=other');
  const own = { key: readFileSync(keyFile), cert: readFileSync(certFile), ca: readFileSync(caFile), requestCert: true };
  server = createServer(own, (request, response) => {
    clients.push(String((request.socket as TLSSocket).getPeerCertificate().subject['CN']));
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const [type, answer] = await answerTo(Buffer.concat(chunks), request);
      response.writeHead(200, { 'content-type': type }).end(answer);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // as NODE_EXTRA_CA_CERTS does
  setDefaultCACertificates([...roots, readFileSync(caFile, 'utf8')]);
});
afterAll(async () => {
  setDefaultCACertificates(roots);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(directory, { recursive: true });
});

const parts = () => ({ clock: kit.clock, randomness: kit.randomness, pause: async () => undefined });
const stamp = (credentials: ClientCredentials | undefined) =>
  new HttpTimestampAuthority({ servers: [{ url: `${url}/tsa`, credentials }], trust: kit.trust, issuers: [], ...parts() }).stamp(Buffer.from('data'));
const ask = (credentials: ClientCredentials | undefined) =>
  new HttpRevocationSource({ ocspUrl: `${url}/ocsp`, credentials, ...parts() }).ask(kit.signer, kit.issuing);

describe('a trust service that asks its clients for a certificate', () => {
  it.each([
    ['a key store of today', [] as const],
    ['an old one, by RC2 and 3DES', ['-legacy'] as const],
  ])('lets a client in with %s', async (_, kind) => {
    const credentials = keyStore('ca', ...kind);
    clients.length = 0;
    await stamp(credentials);
    expect(await ask(credentials)).toMatchObject({ status: 'good' });
    expect(clients).toEqual(['client of ca', 'client of ca']);
  });

  it('refuses a client without a certificate, or with one of another CA', async () => {
    clients.length = 0;
    for (const credentials of [undefined, keyStore('other')])
      for (const call of [stamp, ask]) await expect(call(credentials)).rejects.toThrow(ServiceUnavailable);
    expect(clients).toEqual([]);
  });
});
