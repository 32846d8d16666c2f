import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { CertificateProfile } from './certificates/certificate-profiles.js';
import { encode, oid } from './der/der.js';
import { OID } from './der/oids.js';
import { DEVELOPMENT_TSA_POLICY, timeStampToken } from './development/answer-time-stamp.js';
import type { TrustServiceUnit } from './development/development-pki.js';
import { verifyOcspResponse } from './ocsp/ocsp-response.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { canRun, missingCommands } from '#testkit/pki/foreign-programs';
import { resignedResponse, resignedToken, RIGHT_PSS, WRONG_PSS } from '#testkit/pki/resigned';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { imprintOf } from './time-stamp/time-stamp-request.js';
import { readTimeStampToken, verifyTimeStampToken } from './time-stamp/time-stamp-token.js';

const PSS = ['rsa_padding_mode:pss', 'rsa_pss_saltlen:32'];
/** OpenSSL still takes SHA-1. */
const WRONG_TO_OPENSSL = WRONG_PSS.filter(({ wrong }) => wrong !== 'SHA-1');

const describeHere = canRun(missingCommands('openssl')) ? describe : describe.skip;

describeHere('OpenSSL with keys that sign by RSASSA-PSS', () => {
  let directory: string;
  let kit: DevelopmentKit;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rsa-pss-'));
    // it judges by the machine's clock
    kit = await developmentKit(Date.now());
    await Promise.all((['root', 'issuing', 'signer'] as const).map((name) => save(`${name}.pem`, new X509Certificate(kit[name].der).toString())));
  });
  afterAll(() => rm(directory, { recursive: true }));
  const save = (name: string, content: string | Buffer): Promise<void> => writeFile(join(directory, name), content);
  const load = (name: string): Promise<Buffer> => readFile(join(directory, name));
  const openssl = (...args: readonly string[]): string => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' }).toString();
  const unit = async (name: string, profile: CertificateProfile, issuer: TrustServiceUnit): Promise<TrustServiceUnit> => {
    const made = await testUnit({ profile, issuer, now: Date.now(), keys: newKey.RSA() });
    await save(`${name}.pem`, new X509Certificate(made.certificate).toString());
    await save(`${name}.key`, made.privateKey.export({ format: 'pem', type: 'pkcs8' }));
    return made;
  };

  it('answers as a responder, and we and it judge its answer and ours alike', async () => {
    const responder = await unit('pss-responder', PROFILES.responder(), kit.pki.issuing);
    openssl('ocsp', '-issuer', 'issuing.pem', '-cert', 'signer.pem', '-no_nonce', '-reqout', 'request.der');
    await save('index.txt', `V\t491231235959Z\t\t${kit.signer.serial.toString('hex').toUpperCase()}\tunknown\t/CN=signer\n`);
    const signer = ['-rsigner', 'pss-responder.pem', '-rkey', 'pss-responder.key', '-rmd', 'sha256'];
    const pss = PSS.flatMap((option) => ['-rsigopt', option]);
    openssl('ocsp', '-index', 'index.txt', '-CA', 'issuing.pem', ...signer, ...pss, '-reqin', 'request.der', '-respout', 'reply.der');
    const statusOf = (der: Buffer): string => verifyOcspResponse(der, { certificate: kit.signer, issuer: kit.issuing }).status;
    const theirs = await load('reply.der');
    expect(theirs.includes(encode(oid(OID.rsassaPss)))).toBe(true);
    expect(statusOf(theirs)).toBe('good');

    const judge = async (der: Buffer): Promise<string> => {
      await save('reply.der', der);
      return openssl('ocsp', '-respin', 'reply.der', '-no_nonce', '-issuer', 'issuing.pem', '-cert', 'signer.pem', '-CAfile', 'root.pem');
    };
    expect(await judge(resignedResponse(theirs, responder.privateKey, RIGHT_PSS))).toMatch(/signer\.pem: good/);
    for (const how of WRONG_TO_OPENSSL) {
      await expect(judge(resignedResponse(theirs, responder.privateKey, how))).rejects.toThrow('Response Verify Failure');
    }
  });

  it('signs a time-stamp, and we and it judge its token and ours alike', async () => {
    const made = await unit('pss-tsa', PROFILES.timestamping(), kit.pki.root);
    const data = Buffer.from('some data');
    const wanted = { hash: 'sha512', imprint: imprintOf('sha512', data), certificateRequested: true } as const;
    const ours = timeStampToken(wanted, { unit: made, now: Date.now(), randomness: kit.randomness });
    await save('tst-info.der', readTimeStampToken(ours).signedData.content ?? Buffer.of());
    const signer = ['-signer', 'pss-tsa.pem', '-inkey', 'pss-tsa.key', '-md', 'sha256', ...PSS.flatMap((option) => ['-keyopt', option])];
    const type = ['-binary', '-nodetach', '-cades', '-nosmimecap', '-econtent_type', OID.tstInfo];
    openssl('cms', '-sign', ...type, ...signer, '-in', 'tst-info.der', '-outform', 'DER', '-out', 'token.der');
    const theirs = await load('token.der');
    expect(theirs.includes(encode(oid(OID.rsassaPss)))).toBe(true);
    expect(verifyTimeStampToken(theirs, data, { trust: kit.trust, pool: [] }).policy).toBe(DEVELOPMENT_TSA_POLICY);

    // its command ts knows no RSASSA-PSS
    const judge = async (token: Buffer): Promise<string> => {
      await save('token.der', token);
      const trust = ['-CAfile', 'root.pem', '-purpose', 'timestampsign'];
      return openssl('cms', '-verify', ...trust, '-inform', 'DER', '-in', 'token.der', '-out', 'content.der');
    };
    await judge(resignedToken(ours, made.privateKey, RIGHT_PSS));
    for (const how of WRONG_TO_OPENSSL) {
      await expect(judge(resignedToken(ours, made.privateKey, how))).rejects.toThrow(/[Vv]erification failure/);
    }
  });
});
