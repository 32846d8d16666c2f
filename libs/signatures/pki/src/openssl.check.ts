import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { encode, integer, sequence } from './der/der.js';
import { answerOcsp } from './development/answer-ocsp.js';
import { answerTimeStamp } from './development/answer-time-stamp.js';
import type { TrustServiceUnit } from './development/development-pki.js';
import { issueRootCrl } from './development/issue-root-crl.js';
import { HttpTimestampAuthority } from './http/http-timestamp-authority.js';
import { BadKeyStore, readKeyStore } from './http/key-store.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { canRun, missingCommands } from '#testkit/pki/foreign-programs';
import { type Peer, startPeer } from '#testkit/pki/peer';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { timestampAuthorityContract } from '#testkit/pki/time-stamp/timestamp-authority.contract';

const describeHere = canRun(missingCommands('openssl')) ? describe : describe.skip;

describeHere('OpenSSL', () => {
  let directory: string;
  let kit: DevelopmentKit;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'openssl-'));
    // it judges by the machine's clock
    kit = await developmentKit(Date.now());
    const pem = (name: string, der: Buffer): Promise<void> => save(`${name}.pem`, new X509Certificate(der).toString());
    await Promise.all([
      pem('root', kit.root.der),
      pem('issuing', kit.issuing.der),
      pem('signer', kit.signer.der),
      pem('responder', kit.pki.responder.certificate),
      pem('tsa', kit.pki.timestamping.certificate),
      save('tsa.key', kit.pki.timestamping.privateKey.export({ format: 'pem', type: 'pkcs8' })),
    ]);
  });
  afterAll(() => rm(directory, { recursive: true }));
  const save = (name: string, content: string | Buffer): Promise<void> => writeFile(join(directory, name), content);
  const load = (name: string): Promise<Buffer> => readFile(join(directory, name));
  const openssl = (...args: readonly string[]): string => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' }).toString();

  it('accepts the chains, each for its purpose and no other', () => {
    const verify = (file: string, ...options: readonly string[]): string =>
      openssl('verify', '-x509_strict', '-CAfile', 'root.pem', '-untrusted', 'issuing.pem', ...options, file);
    expect(verify('signer.pem')).toContain('OK');
    expect(verify('responder.pem', '-purpose', 'ocsphelper')).toContain('OK');
    expect(verify('tsa.pem', '-purpose', 'timestampsign')).toContain('OK');
    expect(() => verify('signer.pem', '-purpose', 'timestampsign')).toThrow();
    expect(() => verify('tsa.pem', '-purpose', 'sslserver')).toThrow();
  });

  it('accepts the list of the root', async () => {
    await save('root.crl', issueRootCrl(kit.pki.root, Date.now()));
    expect(openssl('crl', '-inform', 'DER', '-in', 'root.crl', '-CAfile', 'root.pem', '-noout', '-text')).toContain('No Revoked Certificates');
    openssl('crl', '-inform', 'DER', '-in', 'root.crl', '-out', 'root.crl.pem');
    expect(openssl('verify', '-crl_check', '-CAfile', 'root.pem', '-CRLfile', 'root.crl.pem', 'tsa.pem')).toContain('OK');
  });

  it('understands the responder, and is understood by it', async () => {
    openssl('ocsp', '-issuer', 'issuing.pem', '-cert', 'signer.pem', '-reqout', 'request.der');
    const answer = async (status: 'good' | 'unknown') =>
      save('reply.der', await answerOcsp(await load('request.der'), { pki: kit.pki, now: Date.now(), lookUp: () => Promise.resolve({ status }) }));
    const statusOf = () =>
      openssl('ocsp', '-respin', 'reply.der', '-no_nonce', '-issuer', 'issuing.pem', '-cert', 'signer.pem', '-CAfile', 'root.pem');
    await answer('good');
    expect(statusOf()).toMatch(/signer\.pem: good/);
    await answer('unknown');
    expect(statusOf()).toMatch(/signer\.pem: unknown/);
  });

  it('understands the time-stamping unit, and is understood by it', async () => {
    await save('data', 'some data');
    openssl('ts', '-query', '-data', 'data', '-sha512', '-cert', '-out', 'query.tsq');
    await save('reply.tsr', answerTimeStamp(await load('query.tsq'), { unit: kit.pki.timestamping, now: Date.now(), randomness: kit.randomness }));
    expect(openssl('ts', '-verify', '-in', 'reply.tsr', '-queryfile', 'query.tsq', '-CAfile', 'root.pem')).toContain('OK');
    openssl('ts', '-query', '-data', 'data', '-tspolicy', '1.2.3', '-out', 'query.tsq');
    await save('reply.tsr', answerTimeStamp(await load('query.tsq'), { unit: kit.pki.timestamping, now: Date.now(), randomness: kit.randomness }));
    expect(openssl('ts', '-reply', '-in', 'reply.tsr', '-text')).toContain('policy is not supported');
  });

  it('reads the same integers', () => {
    const numbers = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 48 }), { numRuns: 200, seed: 7 });
    const output = execFileSync('openssl', ['asn1parse', '-inform', 'DER'], { input: encode(sequence(...numbers.map(integer))) }).toString();
    const read = [...output.matchAll(/prim: INTEGER +:(\S+)/g)].map(([, hex]) => BigInt(`0x${hex ?? ''}`));
    expect(read).toEqual(numbers.map((bytes) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)));
  });

  describe('as a maker of key stores', () => {
    const store = async (unit: TrustServiceUnit, ...options: readonly string[]): Promise<Buffer> => {
      await save('own.pem', new X509Certificate(unit.certificate).toString());
      await save('own.key', unit.privateKey.export({ format: 'pem', type: 'pkcs8' }));
      openssl(
        'pkcs12',
        '-export',
        '-in',
        'own.pem',
        '-inkey',
        'own.key',
        '-certfile',
        'issuing.pem',
        '-passout',
        'pass:sesame',
        ...options,
        '-out',
        'store.p12',
      );
      return load('store.p12');
    };

    it.each([
      ['P-256', [], newKey['P-256']],
      ['P-256, with RC2 and 3DES', ['-legacy'], newKey['P-256']],
      ['RSA', [], newKey.RSA],
      ['RSA, with RC2 and 3DES', ['-legacy'], newKey.RSA],
    ] as const)('is understood: %s', async (_, options, makeKey) => {
      const unit = await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now: Date.now(), keys: makeKey() });
      const { certificate, privateKey } = readKeyStore(await store(unit, ...options), 'sesame');
      expect(createPrivateKey(privateKey ?? '').equals(unit.privateKey)).toBe(true);
      expect(new X509Certificate(certificate ?? '').raw).toEqual(unit.certificate);
      expect(certificate?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    });

    it('is refused with the wrong password, a stray key, or a broken file', async () => {
      const unit = await testUnit({ profile: PROFILES.signer(), issuer: kit.pki.issuing, now: Date.now() });
      const good = await store(unit);
      expect(() => readKeyStore(good, 'wrong')).toThrow(BadKeyStore);
      expect(() => readKeyStore(good.subarray(1), 'sesame')).toThrow(BadKeyStore);
      expect(() => readKeyStore(Buffer.alloc(100_000), 'sesame')).toThrow(BadKeyStore);
      openssl('pkcs12', '-export', '-nocerts', '-inkey', 'own.key', '-passout', 'pass:sesame', '-out', 'bare.p12');
      expect(() => readKeyStore(execFileSync('cat', [join(directory, 'bare.p12')]), 'sesame')).toThrow("lacks its key's certificate");
    });
  });

  describe('as a time-stamping authority', () => {
    let peer: Peer;
    beforeAll(async () => {
      await Promise.all([save('serial', '01\n'), save('ts.cnf', CONFIGURATION)]);
      peer = await startPeer(async (body) => {
        await save('asked.tsq', body);
        openssl('ts', '-reply', '-config', 'ts.cnf', '-queryfile', 'asked.tsq', '-signer', 'tsa.pem', '-inkey', 'tsa.key', '-out', 'answer.tsr');
        return { type: 'application/timestamp-reply', body: await load('answer.tsr') };
      });
    });
    afterAll(async () => {
      await peer[Symbol.asyncDispose]();
    });
    timestampAuthorityContract(() => {
      const { trust, clock, randomness } = kit;
      return { authority: new HttpTimestampAuthority({ servers: [peer], trust, issuers: [], clock, randomness }), kit, tolerance: 60_000 };
    });
  });
});

const CONFIGURATION = `
[tsa]
default_tsa = us
[us]
serial = serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.3.6.1.4.1.32473.1.9
digests = sha256, sha384, sha512
ess_cert_id_alg = sha256
accuracy = secs:1
ordering = yes
`;
