import { describe, expect, it } from '@jest/globals';

import { Certificate } from '#pki';
import { startIssuingCmpServer } from '#pki/testing';

import { fileWith, signWith, startForeignAuthority, startRevokingResponder, useFolder } from './foreign-trust-services.fixture.js';

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

  it('gets an archive time-stamp over all, with its own proof, where level LTA is asked for', async () => {
    await using foreign = await startForeignAuthority();
    const trust = { TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile };
    expect(await signWith(() => ({ ...trust, CONTAINER_LEVEL: 'LTA' }), { level: 'LTA' })).toMatchObject(COMPLETED);
    expect(foreign.stamps).toBe(2);
  });
});

describe('a signature with a foreign certificate authority', () => {
  it('has a certificate that came by CMP, a foreign time-stamp and a foreign OCSP answer', async () => {
    await using foreign = await startForeignAuthority();
    const secret = { reference: 'countersign', secret: 'shared between us' };
    await using cmp = await startIssuingCmpServer(foreign.pki, secret);
    const secretFile = await fileWith('cmp-secret', `${secret.reference}:${secret.secret}\n`);
    const settings = { CA_CMP_URL: cmp.url, CA_CMP_SECRET_FILE: secretFile, TSA_URLS: foreign.url, TRUST_ANCHORS: foreign.rootFile };
    const issuers = await fileWith('issuers.pem', Certificate.parse(foreign.pki.issuing.certificate).pem);
    expect(await signWith(() => ({ ...settings, TSA_ISSUERS: foreign.rootFile, CA_ISSUERS: issuers }))).toMatchObject(COMPLETED);
    expect(cmp.asked()).toBe(2);
  });
});
