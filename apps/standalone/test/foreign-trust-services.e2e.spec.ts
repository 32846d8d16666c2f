import { describe, expect, it } from '@jest/globals';

import { AuthorityInfoAccessExtension, CRLDistributionPointsExtension } from '@peculiar/x509';

import { Certificate, OID, readProvisionerKey } from '#signatures/pki';
import { canRun, missingCommands } from '#testkit/pki/foreign-programs';
import { type CertificateProfile } from '#signatures/pki';
import { newKey } from '#testkit/pki/signing-requests';
import { PROFILES, withExtensions } from '#testkit/pki/test-certificates';
import { startIssuingCmpServer } from '#testkit/pki/cmp-server';
import { startOpensslTrustServices } from '#testkit/pki/openssl-trust-services';
import { startStepCaServer } from '#testkit/pki/step-ca-server';

import {
  fileWith,
  type ForeignAuthority,
  pathOf,
  signWith,
  startForeignAuthority,
  startRevokingResponder,
  useFolder,
} from './foreign-trust-services.fixture.js';

useFolder();

const COMPLETED = { status: 'COMPLETED', verdict: 'INDETERMINATE SIGNED_DATA_NOT_FOUND, 0 findings' };

describe('a signature with the own certificate authority', () => {
  it('takes time-stamps of a foreign authority, whose certificates its own list vouches for', async () => {
    await using foreign = await startForeignAuthority();
    const outcome = await signWith(() => ({ TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile }));
    expect(outcome).toMatchObject(COMPLETED);
    expect(foreign.stamps).toBe(1);
  });

  it('takes time-stamps of a foreign authority beside a responder of its own', async () => {
    await using foreign = await startForeignAuthority();
    const outcome = await signWith((port) => ({
      TSA_URLS: foreign.url,
      TSA_ISSUERS: foreign.rootFile,
      TRUST_ANCHORS: foreign.rootFile,
      OCSP_URL: `http://localhost:${port}/pki/ocsp`,
    }));
    expect(outcome).toMatchObject(COMPLETED);
  });

  it('takes its own time-stamps beside a responder at another address', async () => {
    expect(await signWith((port) => ({ OCSP_URL: `http://localhost:${port}/pki/ocsp` }))).toMatchObject(COMPLETED);
  });

  it('is refused at the scan, with the remedy, when a responder says that the certificate is revoked', async () => {
    await using responder = await startRevokingResponder();
    expect((await signWith(() => ({ OCSP_URL: responder.url }))).status).toBe(
      "invalid_request: This phone's signing certificate has been revoked. Enrol the phone again.",
    );
  });

  it('buys one time-stamp, however often the statements about its certificates cannot be had', async () => {
    await using foreign = await startForeignAuthority();
    foreign.listFailures = 9;
    const outcome = await signWith(() => ({ TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile }));
    expect(outcome).toMatchObject(COMPLETED);
    expect(foreign).toMatchObject({ stamps: 1, listFailures: 0 });
  });

  it('buys one time-stamp of an authority that has failed three times', async () => {
    await using foreign = await startForeignAuthority();
    foreign.stampFailures = 3;
    const outcome = await signWith(() => ({ TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile }));
    expect(outcome).toMatchObject(COMPLETED);
    expect(foreign).toMatchObject({ stamps: 1, stampFailures: 0, headers: { length: 4 } });
  });

  it('gets an archive time-stamp over all, with its own proof, where level LTA is asked for', async () => {
    await using foreign = await startForeignAuthority();
    const trust = { TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile };
    expect(await signWith(() => ({ ...trust, CONTAINER_LEVEL: 'LTA' }), { level: 'LTA' })).toMatchObject(COMPLETED);
    expect(foreign.stamps).toBe(2);
  });
});

describe('a signature with a foreign certificate authority', () => {
  const SECRET = { reference: 'countersign', secret: 'shared between us' };
  /** Signs with a certificate of that profile. Answers the outcome, and the number of calls of the certificate authority. */
  const signByCmp = async (foreign: ForeignAuthority, profile?: CertificateProfile) => {
    await using cmp = await startIssuingCmpServer(foreign.pki, SECRET, profile);
    const secretFile = await fileWith('cmp-secret', `${SECRET.reference}:${SECRET.secret}\n`);
    const issuers = await fileWith('issuers.pem', Certificate.parse(foreign.pki.issuing.certificate).pem);
    const certificates = { CA_CMP_URL: cmp.url, CA_CMP_SECRET_FILE: secretFile, CA_ISSUERS: issuers };
    const stamps = { TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile };
    return { ...(await signWith(() => ({ ...certificates, ...stamps }))), asked: cmp.asked() };
  };

  it('has a certificate that came by CMP, a foreign time-stamp and a foreign OCSP answer', async () => {
    await using foreign = await startForeignAuthority();
    expect(await signByCmp(foreign)).toMatchObject({ ...COMPLETED, asked: 2 });
    expect([...foreign.paths].sort()).toEqual(['/pki/ocsp', '/pki/root.crl', '/tsa']);
  });

  it('has a certificate that came from step-ca, whose issuing certificate is trusted, and its list', async () => {
    await using foreign = await startForeignAuthority();
    const { privateKey, publicKey } = newKey['P-256']();
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const point = new CRLDistributionPointsExtension([foreign.issuingList]);
    await using stepCa = await startStepCaServer({
      provisioner: { name: 'phones', keyId: readProvisionerKey(key).keyId, publicKey },
      issuer: foreign.pki.issuing,
      now: Date.now,
      profile: withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], point),
    });
    const anchors = [foreign.pki.issuing, foreign.pki.root].map(({ certificate }) => Certificate.parse(certificate).pem).join('');
    const settings = {
      CA_STEP_URL: stepCa.url,
      CA_STEP_PROVISIONER: 'phones',
      CA_STEP_KEY_FILE: await fileWith('provisioner.pem', key),
      TSA_URLS: foreign.url,
      TSA_ISSUERS: foreign.rootFile,
      TRUST_ANCHORS: await fileWith('anchors.pem', anchors),
    };
    expect(await signWith(() => settings)).toMatchObject(COMPLETED);
    expect(stepCa.calls.map(({ path }) => path)).toEqual(['/1.0/sign']);
    expect([...foreign.paths].sort()).toEqual(['/pki/issuing.crl', '/pki/root.crl', '/tsa']);
  });

  it.each<[string, readonly AuthorityInfoAccessExtension[]]>([
    ['has no responder', []],
    ['has a responder that cannot be reached', [new AuthorityInfoAccessExtension({ ocsp: 'http://127.0.0.1:9/' })]],
  ])('has the list of an authority that %s', async (_, access) => {
    await using foreign = await startForeignAuthority();
    const point = new CRLDistributionPointsExtension([foreign.issuingList]);
    const profile = withExtensions(PROFILES.signer(), [OID.authorityInfoAccess], point, ...access);
    expect(await signByCmp(foreign, profile)).toMatchObject({ ...COMPLETED, asked: 2 });
    expect([...foreign.paths].sort()).toEqual(['/pki/issuing.crl', '/pki/root.crl', '/tsa']);
  });

  (canRun(missingCommands('openssl')) ? it : it.skip)(
    'has a certificate, a time-stamp and an OCSP answer that programs of OpenSSL made',
    async () => {
      await using foreign = await startOpensslTrustServices(pathOf('openssl'));
      expect(await signWith(() => foreign.settings)).toMatchObject(COMPLETED);
      expect(foreign.issued()).toBe(1);
    },
  );
});
