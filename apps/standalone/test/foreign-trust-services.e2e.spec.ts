import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { verifyContainer } from '#asic';
import { loadPlatformSettings } from '#config';
import { Phone } from '#device-client';
import { SystemClock, SystemRandomness } from '#kernel';
import { answerTimeStamp, Certificate, issueRootCrl, openDevelopmentPki } from '#pki';
import { startPeer } from '#pki/testing';

import { reservePort } from '../../../tools/processes/reserve-port.ts';
import { type Standalone, startStandalone } from '../src/start.js';

const PIN = '1470';
const HASH = createHash('sha512').update('The contract, in full.\n').digest('hex');

/** A time-stamping authority of another house, with a root, a list of revoked certificates and an address of its own. */
interface ForeignAuthority extends AsyncDisposable {
  readonly url: string;
  readonly rootFile: string;
  /** The number of time-stamps bought. */
  stamps: number;
  /** Requests for the list of revoked certificates that are still to fail. */
  listFailures: number;
}

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'foreign-'));
});
afterEach(() => rm(directory, { recursive: true }));

const startForeignAuthority = async (): Promise<ForeignAuthority> => {
  const randomness = new SystemRandomness();
  const clock = new SystemClock();
  const peer = await startPeer((body, { url }) => {
    if (url === '/tsa') {
      authority.stamps += 1;
      return { type: 'application/timestamp-reply', body: answerTimeStamp(body, { unit: pki.timestamping, now: clock.now(), randomness }) };
    }
    if (authority.listFailures > 0) {
      authority.listFailures -= 1;
      return { type: 'text/plain', status: 503, body: Buffer.from('closed') };
    }
    return { type: 'application/pkix-crl', body: issueRootCrl(pki.root, clock.now()) };
  });
  const baseUrl = peer.url.replace(/\/$/, '');
  const rootFile = join(directory, 'foreign-root.pem');
  const authority: ForeignAuthority = {
    url: `${baseUrl}/tsa`,
    rootFile,
    stamps: 0,
    listFailures: 0,
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
  const pki = await openDevelopmentPki({ keyDirectory: join(directory, 'foreign'), baseUrl, guarded: false, clock, randomness });
  await writeFile(rootFile, Certificate.parse(pki.root.certificate).pem);
  return authority;
};

/** Signs by a service with these settings. Answers how the session ended, and the verdict on its container. */
const signWith = async (settings: (port: number) => Record<string, string>): Promise<{ status: string; verdict: string | undefined }> => {
  const port = await reservePort();
  const environment = { PORT: String(port), DATA_DIR: join(directory, 'data'), DEMO: 'false', LOG_LEVEL: 'silent', ...settings(port) };
  const service: Standalone = await startStandalone(loadPlatformSettings(environment));
  try {
    return await sign(service, `http://localhost:${port}`);
  } finally {
    await service.close();
  }
};

const sign = async ({ platform }: Standalone, baseUrl: string): Promise<{ status: string; verdict: string | undefined }> => {
  const call = async (method: string, path: string, authorization: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization, prefer: 'wait=30', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const admin = `Bearer ${platform.adminToken.reveal()}`;
  const registration = { name: 'Notary', redirect_uris: ['https://rp.example/signed'], allowed_attributes: [], allowed_predicates: [] };
  const { clientId, clientSecret } = await call('POST', '/admin/v1/clients', admin, registration);
  const person = { given_name: 'Mari', family_name: 'Maasikas', personal_code: '48001010001', date_of_birth: '1980-01-01', country: 'EE' };
  const { identityId } = await call('POST', '/admin/v1/identities', admin, person);
  const { activationCode } = await call('POST', `/admin/v1/identities/${String(identityId)}/activation-codes`, admin);
  const phone = await Phone.enrol(
    { baseUrl, activationCode: activationCode as string, name: 'Phone', platform: 'test', pin: PIN, keyType: 'P-256' },
    { clock: platform.clock },
  );
  const client = `Basic ${btoa(`${String(clientId)}:${String(clientSecret)}`)}`;
  const order = { signature_type: 'SIGNING', signed_data_hash: HASH, signed_data_name: 'contract.txt' };
  const sessionId = String((await call('POST', '/relying-party/v1/session', client, order))['sessionId']);
  await phone.scan(sessionId);
  await phone.confirm(PIN);
  const { status } = await call('GET', `/relying-party/v1/session/${sessionId}/status?since=SCANNED`, client);
  const { container } = await call('GET', `/relying-party/v1/session/${sessionId}/result`, client);
  const { trustStore: trust } = platform.trustServices!;
  const report =
    typeof container === 'string'
      ? await verifyContainer(Buffer.from(container, 'base64'), { trust, now: platform.clock.now(), level: 'LT' })
      : undefined;
  return { status: String(status), verdict: report && `${report.verdict} ${report.subIndication}, ${report.findings.length} findings` };
};

const COMPLETED = { status: 'COMPLETED', verdict: 'INDETERMINATE SIGNED_DATA_NOT_FOUND, 0 findings' };

describe('a signature with the own certificate authority', () => {
  it('takes time-stamps of a foreign authority, whose certificates its own list vouches for', async () => {
    await using foreign = await startForeignAuthority();
    const outcome = await signWith(() => ({ TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile }));
    expect(outcome).toEqual(COMPLETED);
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
    expect(outcome).toEqual(COMPLETED);
  });

  it('takes its own time-stamps beside a responder at another address', async () => {
    expect(await signWith((port) => ({ OCSP_URL: `http://localhost:${port}/pki/ocsp` }))).toEqual(COMPLETED);
  });

  it('buys one time-stamp, however often the statements about its certificates cannot be had', async () => {
    await using foreign = await startForeignAuthority();
    foreign.listFailures = 9;
    const outcome = await signWith(() => ({ TSA_URLS: foreign.url, TSA_ISSUERS: foreign.rootFile, TRUST_ANCHORS: foreign.rootFile }));
    expect(outcome).toEqual(COMPLETED);
    expect(foreign).toMatchObject({ stamps: 1, listFailures: 0 });
  });
});
