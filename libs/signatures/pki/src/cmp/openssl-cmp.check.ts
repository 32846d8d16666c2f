import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { ServiceUnavailable } from '#kernel';

import { Certificate } from '../certificates/certificate.js';
import { DevelopmentCertificateAuthority } from '../development/development-certificate-authority.js';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';
import { canRun, missingCommands } from '#testkit/pki/foreign-programs';
import { type OpensslCmpServer, startOpensslCmpServer } from '#testkit/pki/openssl-cmp-server';
import { type KeyPair, newKey, signingRequest } from '#testkit/pki/signing-requests';
import { PROFILES, testUnit } from '#testkit/pki/test-certificates';
import { CmpCertificateAuthority, type CmpSettings } from './cmp-certificate-authority.js';

const HOLDER = { givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };
const SECRET = { reference: 'countersign', secret: 'correct horse' };

const describeHere = canRun(missingCommands('openssl')) ? describe : describe.skip;

/** OpenSSL's CMP server answers every request with the one certificate that it is given: it is made for the phone's key before. */
describeHere("OpenSSL's CMP server", () => {
  let directory: string;
  let kit: DevelopmentKit;
  let keys: KeyPair;
  let server: OpensslCmpServer | undefined;
  let certificate: Buffer;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cmp-'));
    // it judges by the machine's clock
    kit = await developmentKit(Date.now());
    keys = newKey['P-256']();
    const authority = new DevelopmentCertificateAuthority(kit.pki, kit.clock, kit.randomness);
    ({ certificate } = await authority.issue({ csr: signingRequest(keys), holder: HOLDER }));
    await save('issued.pem', Certificate.parse(certificate).pem);
    await save('issuing.pem', kit.issuing.pem);
    await save('root.pem', kit.root.pem);
  });
  afterEach(async () => server?.[Symbol.asyncDispose]());
  afterAll(() => rm(directory, { recursive: true }));
  const save = (name: string, content: string): Promise<void> => writeFile(join(directory, name), content);

  /** Starts it on a free port, which it tells. */
  const start = async (...options: readonly string[]): Promise<string> => {
    server = await startOpensslCmpServer(directory, ['-rsp_cert', 'issued.pem', '-rsp_extracerts', 'issuing.pem', '-accept_raverified', ...options]);
    return server.url;
  };
  const issue = (settings: Pick<CmpSettings, 'url' | 'credentials'>) =>
    new CmpCertificateAuthority({
      trust: kit.trust,
      issuers: [],
      clock: kit.clock,
      randomness: kit.randomness,
      pause: async () => undefined,
      ...settings,
    }).issue({ csr: signingRequest(keys), holder: HOLDER });
  const expected = () => ({ certificate, chain: [kit.issuing.der, kit.root.der] });
  const bySecret = ['-srv_ref', SECRET.reference, '-srv_secret', `pass:${SECRET.secret}`];

  it('issues a certificate under a shared secret, with a confirmation', async () => {
    expect(await issue({ url: await start(...bySecret), credentials: SECRET })).toMatchObject(expected());
  });

  it('waives the confirmation, and lets the client wait', async () => {
    const url = await start(...bySecret, '-grant_implicitconf', '-poll_count', '2', '-check_after', '1');
    expect(await issue({ url, credentials: SECRET })).toMatchObject(expected());
  });

  it('takes requests that a registration authority has signed, and signs its answers', async () => {
    const [client, answering] = await Promise.all(
      ['client', 'server'].map(async (name) => {
        const unit = await testUnit({ profile: PROFILES.responder(), issuer: kit.pki.issuing, now: kit.clock.now() });
        await save(`${name}.key`, unit.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
        await save(`${name}.pem`, Certificate.parse(unit.certificate).pem);
        return { key: unit.privateKey, certificate: Certificate.parse(unit.certificate) };
      }),
    );
    if (!client || !answering) throw new Error('two units');
    const options = ['-srv_cert', 'server.pem', '-srv_key', 'server.key', '-srv_trusted', 'root.pem', '-srv_untrusted', 'issuing.pem'];
    const url = await start(...options);
    const identity = { key: client.key, certificates: [client.certificate, kit.issuing] as const };
    expect(await issue({ url, credentials: { ...identity, answeredBy: [answering.certificate] } })).toMatchObject(expected());
  });

  it('refuses with its reason, which reaches the log', async () => {
    const rejecting = await start(...bySecret, '-pkistatus', '2', '-failure', '19', '-statusstring', 'no such profile');
    const failed = issue({ url: rejecting, credentials: SECRET });
    await expect(failed).rejects.toThrow(ServiceUnavailable);
    await expect(failed).rejects.toThrow(/it refused the request: no such profile, badCertTemplate/);
  });

  it('refuses another secret, and its own answer is not taken', async () => {
    await expect(issue({ url: await start(...bySecret), credentials: { ...SECRET, secret: 'guessed' } })).rejects.toThrow(ServiceUnavailable);
  });
});
