import { execFile } from 'node:child_process';
import { createHash, createHmac, randomUUID, sign as signBytes, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { atSigningTime, verifyContainer } from '#signatures/asic';
import { eventually } from '#testkit/kernel/eventually';
import { type ScannedSession } from '#clients/software-phone';

import {
  PIN,
  HASH,
  service,
  baseUrl,
  phone,
  send,
  client,
  admin,
  sandbox,
  begin,
  after,
  enrol,
  register,
  sign,
  useSigningService,
} from './signing.fixture.js';

useSigningService();

const beginDocuments = async (documents: readonly object[]): Promise<string> =>
  (await client('POST', '', { signature_type: 'SIGNING', documents, title: 'The contract' })).body['sessionId'] as string;

describe('a signature', () => {
  it.each(['P-256', 'P-384', 'RSA-3072'] as const)('goes from the hash to a container that verifies, with a %s key', async (keyType) => {
    const by = await enrol(keyType);
    const sessionId = await begin();
    const { body: shown } = await by.scan(sessionId);
    expect(shown).toMatchObject({ signatureType: 'SIGNING', title: 'The contract', signedDataName: 'contract.txt', signedDataHash: HASH });
    expect((shown as ScannedSession).signatureAlgorithm).toBe({ 'P-256': 'ES256', 'P-384': 'ES384', 'RSA-3072': 'RS512' }[keyType]);
    expect((await client('GET', `/${sessionId}/result`)).body).toMatchObject({ errorCode: 'not_signed' });

    for (let time = 0; time < 2; time++) expect((await by.confirm(PIN)).body).toEqual({ status: 'SCANNED' });
    expect(await after(sessionId, 'SCANNED')).toBe('COMPLETED');

    const { status, body } = await client('GET', `/${sessionId}/result`);
    expect(status).toBe(200);
    expect(body).toEqual({
      container: expect.any(String),
      signedDataHash: HASH,
      signedDataName: 'contract.txt',
      signingTime: expect.any(Number),
      name: 'Mari Maasikas',
      personalCode: '48001010001',
      dateOfBirth: '1980-01-01',
      country: 'EE',
    });
    const { trustStore: trust } = service.platform.trustServices!;
    const report = await verifyContainer(Buffer.from(body['container'] as string, 'base64'), { trust, now: Date.now(), level: 'LT' });
    expect(report).toMatchObject({ findings: [], subIndication: 'SIGNED_DATA_NOT_FOUND' });
    expect((await client('GET', `/${sessionId}/result`)).body).toEqual(body);
  });

  it('holds the time of the PIN, which the service names and the phone signs', async () => {
    const by = await enrol('P-256');
    const sessionId = await begin();
    const { body: shown } = await by.scan(sessionId);
    const pin = { pin_proof: createHmac('sha256', by.keys.pinKey).update(PIN).digest('base64url') };
    const { body: judged } = await by.call<{ signingTime: number }>('POST', `/app/v1/session/${sessionId}/pin`, pin);
    expect(judged).toEqual({ accepted: true, signingTime: expect.any(Number) });
    // seconds that differ from those of the scan, whatever the clock has shown meanwhile
    const signingTime = (judged as { signingTime: number }).signingTime + 7;
    const timed = atSigningTime(Buffer.from((shown as ScannedSession).toBeSigned, 'base64'), signingTime * 1000);
    const signature = signBytes('sha256', timed, { key: by.keys.signing, dsaEncoding: 'ieee-p1363' }).toString('base64');
    const confirm = (body: object) => by.call('POST', `/app/v1/session/${sessionId}/confirm`, { ...pin, signature, ...body });
    expect((await confirm({})).body).toMatchObject({ errorCode: 'invalid_signature' });
    expect((await confirm({ signing_time: signingTime + 1 })).body).toMatchObject({ errorCode: 'invalid_signature' });
    expect((await confirm({ signing_time: 'now' })).body).toMatchObject({ errorCode: 'invalid_request' });
    expect((await confirm({ signing_time: signingTime })).body).toEqual({ status: 'SCANNED' });
    expect(await after(sessionId, 'SCANNED')).toBe('COMPLETED');
    const { body } = await client('GET', `/${sessionId}/result`);
    expect(body).toMatchObject({ signingTime });
    const { trustStore: trust } = service.platform.trustServices!;
    const report = await verifyContainer(Buffer.from(body['container'] as string, 'base64'), { trust, now: Date.now() });
    expect(report).toMatchObject({ findings: [], signingTime: signingTime * 1000 });
  });

  it('covers 50 documents with one PIN, and the container names each of them and the request', async () => {
    const documents = Array.from({ length: 50 }, (_, at) => ({
      name: `${at} – leping.pdf`,
      hash: createHash('sha512').update(`${at}`).digest('hex'),
    }));
    const sessionId = await beginDocuments(documents.map((document) => ({ ...document, hash: document.hash.toUpperCase(), size: 1 })));
    const { body: shown } = await phone.scan(sessionId);
    expect(shown).toMatchObject({ documents: documents.map((document) => ({ ...document, size: 1 })) });
    expect(shown).not.toHaveProperty('signedDataName');
    await phone.confirm(PIN);
    expect(await after(sessionId, 'SCANNED')).toBe('COMPLETED');
    const { body } = await client('GET', `/${sessionId}/result`);
    expect(body).toMatchObject({ documents });
    expect(body).not.toHaveProperty('signedDataHash');
    const { trustStore: trust } = service.platform.trustServices!;
    const report = await verifyContainer(Buffer.from(body['container'] as string, 'base64'), { trust, now: Date.now() });
    expect(report).toMatchObject({ findings: [], subIndication: 'SIGNED_DATA_NOT_FOUND', request: { title: 'The contract' } });
    expect(report.documents).toEqual(documents.map((document) => ({ ...document, present: false })));
  });

  it('with the hosted page, sends the browser back once, with the state alone', async () => {
    const hosted = { hosted_page: true, redirect_uri: 'https://rp.example/signed?x=1', state: 'my state' };
    const sessionId = await begin(hosted);
    expect((await client('POST', `/${sessionId}/completion`)).body).toMatchObject({ errorCode: 'session_not_confirmed' });
    await phone.scan(sessionId);
    await phone.confirm(PIN);
    expect(await after(sessionId, 'SCANNED')).toBe('COMPLETED');
    expect((await client('POST', `/${sessionId}/completion`)).body).toEqual({ redirect: 'https://rp.example/signed?x=1&state=my%20state' });
    expect((await client('POST', `/${sessionId}/completion`)).body).toMatchObject({ errorCode: 'session_already_completed' });
  });

  it('without hosted page, has no completion', async () => {
    expect((await client('POST', `/${await sign(phone)}/completion`)).body).toMatchObject({ errorCode: 'invalid_request' });
  });

  it('refuses a signature by another key', async () => {
    const sessionId = await begin();
    const { body } = await phone.scan(sessionId);
    const toBeSigned = Buffer.from('something else').toString('base64');
    expect((await phone.confirm(PIN, { ...(body as ScannedSession), toBeSigned })).body).toMatchObject({ errorCode: 'invalid_signature' });
    expect((await phone.confirm(PIN, body as ScannedSession)).status).toBe(200);
  });

  it('is verified by OpenSSL with the same result', async () => {
    const sessionId = await sign(phone);
    await after(sessionId, 'SCANNED');
    const { body } = await client('GET', `/${sessionId}/result`);
    const folder = await mkdtemp(join(tmpdir(), 'container-'));
    await writeFile(join(folder, 'x.asice'), Buffer.from(body['container'] as string, 'base64'));
    const root = await (await fetch(`${baseUrl}/pki/root.cer`)).arrayBuffer();
    await writeFile(join(folder, 'root.pem'), new X509Certificate(Buffer.from(root)).toString());
    const run = promisify(execFile);
    await run('python3', ['-m', 'zipfile', '-e', 'x.asice', '.'], { cwd: folder });
    const files = ['-in', 'META-INF/signature001.p7s', '-content', 'META-INF/ASiCManifest001.xml', '-CAfile', 'root.pem', '-out', '/dev/null'];
    const { stderr } = await run('openssl', ['cms', '-verify', '-cades', '-binary', '-inform', 'DER', ...files], { cwd: folder });
    expect(stderr).toMatch(/Verification successful/);
    await rm(folder, { recursive: true });
  });
});

describe('the rules of creation', () => {
  const HASHED = { name: 'a.pdf', hash: HASH };
  it.each([
    [Array.from({ length: 51 }, (_, at) => ({ ...HASHED, name: `${at}` })), '`documents` must be a list of 1 to 50 documents'],
    [{ ...HASHED }, '`documents` must be a list'],
    [[HASHED, HASHED], 'are the same to a file system'],
    [[HASHED, { ...HASHED, name: 'A.PDF' }], 'are the same to a file system'],
    [
      [
        { ...HASHED, name: 'é' },
        { ...HASHED, name: 'e\u0301' },
      ],
      'are the same to a file system',
    ],
    [[HASHED, { ...HASHED, name: 'META-INF' }], 'the name in `documents`[1] must be the name of a file'],
    [[{ ...HASHED, name: '' }], 'the name in `documents`[0] must be the name of a file'],
    [[{ ...HASHED, name: 7 }], 'documents[0].name must be a string'],
    [[{ ...HASHED, hash: HASH.slice(1) }], 'documents[0].hash must be 128 hex characters'],
    [[{ ...HASHED, size: -1 }], 'documents[0].size must be a whole number'],
    [[{ ...HASHED, mime: 'x' }], 'documents[0] holds a field other than'],
    [[{ ...HASHED, constructor: 'x' }], 'holds a member of the name'],
    [[HASHED, null], 'documents[1] must be an object'],
  ])('refuse wrong documents: %#', async (documents, text) => {
    const { status, body } = await client('POST', '', { signature_type: 'SIGNING', documents });
    expect({ status, code: body['errorCode'] }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body['defaultTranslation']).toContain(text);
  });

  it.each(['signed_data_hash', 'signed_data_name', 'signed_data_size'])('refuse %s beside documents', async (field) => {
    const one = { signed_data_hash: HASH, signed_data_name: 'b.pdf', signed_data_size: 1 };
    const { body } = await client('POST', '', { signature_type: 'SIGNING', documents: [HASHED], [field]: one[field as keyof typeof one] });
    expect(body['defaultTranslation']).toContain(`\`documents\` stands in place of \`${field}\``);
  });

  it('name the data detached-file when the client gives no name', async () => {
    const { body } = await phone.scan(await begin({ signed_data_name: undefined }));
    expect(body).toMatchObject({ signedDataName: 'detached-file' });
  });
});

describe('the time from the approval to the container', () => {
  /** The value of a series of the metric, as `/metrics` shows it; 0 before the first. */
  const value = async (series: string): Promise<number> => {
    const shown = await service.platform.metrics.registry.getSingleMetricAsString('signing_container_delay_seconds');
    return Number(
      shown
        .split('\n')
        .find((line) => line.startsWith(`signing_container_delay_seconds_${series} `))
        ?.split(' ')[1] ?? 0,
    );
  };

  it('is measured once for a container, however often the browser and the client ask for it', async () => {
    const before = await value('count{outcome="built"}');
    const sessionId = await sign(phone);
    expect(await after(sessionId, 'SCANNED')).toBe('COMPLETED');
    for (let time = 0; time < 2; time++) expect((await client('GET', `/${sessionId}/result`)).status).toBe(200);
    expect((await phone.confirm(PIN)).body).toEqual({ status: 'SCANNED' });
    expect(await value('count{outcome="built"}')).toBe(before + 1);
  });

  it('is the time for building it when none is built', async () => {
    const [late, sum] = [await value('count{outcome="late"}'), await value('sum{outcome="late"}')];
    await sandbox('/faults', { time_stamp_down: true });
    const sessionId = await sign(phone);
    await sandbox('/clock', { advance_seconds: 90 });
    expect((await client('GET', `/${sessionId}/status`)).body).toEqual({ status: 'CANCELLED' });
    await sandbox('/faults', { time_stamp_down: false });
    await eventually(async () => (await value('count{outcome="late"}')) === late + 1);
    expect((await value('sum{outcome="late"}')) - sum).toBeCloseTo(60);
  });
});

describe('when the time-stamping authority is unavailable', () => {
  it('completes the signature when it is available again', async () => {
    await sandbox('/faults', { time_stamp_down: true });
    const sessionId = await sign(phone);
    expect((await client('GET', `/${sessionId}/status`)).body['status']).toBe('SCANNED');
    await sandbox('/faults', { time_stamp_down: false });
    expect(await after(sessionId, 'SCANNED')).toBe('COMPLETED');
  });

  it('cancels the session after 60 seconds, and no result can appear', async () => {
    await sandbox('/faults', { time_stamp_down: true });
    const sessionId = await sign(phone);
    await sandbox('/clock', { advance_seconds: 60 });
    expect((await client('GET', `/${sessionId}/status`)).body).toEqual({ status: 'CANCELLED' });
    await sandbox('/faults', { time_stamp_down: false });
    expect((await client('GET', `/${sessionId}/result`)).body).toMatchObject({ errorCode: 'not_signed' });
    const timeline = await admin('GET', `/sessions/${sessionId}/timeline`);
    const failed = { type: 'SessionCancelled', reason: 'SIGNING_FAILED', finding: 'no container was built in time' };
    expect(timeline.body['events']).toContainEqual(expect.objectContaining(failed));
  });
});

describe('the result', () => {
  it('is erased 1800 seconds after signing', async () => {
    const sessionId = await sign(phone);
    await after(sessionId, 'SCANNED');
    await sandbox('/clock', { advance_seconds: 1790 });
    expect((await client('GET', `/${sessionId}/result`)).status).toBe(200);
    await sandbox('/clock', { advance_seconds: 11 });
    expect(await client('GET', `/${sessionId}/result`)).toMatchObject({ status: 404, body: { errorCode: 'session_not_found' } });
  });

  it('is erased with its person, and signatures under way are cancelled', async () => {
    const person = await register(`X-${randomUUID().slice(0, 8)}`);
    const by = await enrol('P-256', person);
    const done = await sign(by);
    await after(done, 'SCANNED');
    await sandbox('/faults', { time_stamp_down: true });
    const underWay = await sign(by);
    expect((await admin('DELETE', `/identities/${person}`)).status).toBe(204);
    await sandbox('/faults', { time_stamp_down: false });
    expect((await client('GET', `/${done}/result`)).body).toMatchObject({ errorCode: 'session_not_found' });
    expect((await client('GET', `/${underWay}/status`)).body).toEqual({ status: 'CANCELLED' });
  });
});

describe('the development trust service', () => {
  it('answers OCSP, time-stamps, and its certificates', async () => {
    for (const path of ['root.cer', 'issuing.cer', 'root.crl']) expect((await fetch(`${baseUrl}/pki/${path}`)).status).toBe(200);
    for (const [path, type] of [
      ['ocsp', 'application/ocsp-request'],
      ['tsa', 'application/timestamp-query'],
    ] as const) {
      const answer = await fetch(`${baseUrl}/pki/${path}`, { method: 'POST', headers: { 'content-type': type }, body: 'nonsense' });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type.replace('request', 'response').replace('query', 'reply')]);
    }
  });

  it.each(['ocsp', 'tsa'])('refuses an invalid request to /pki/%s', async (path) => {
    expect((await send('POST', `/pki/${path}`, {})).status).toBe(400);
    expect((await fetch(`${baseUrl}/pki/${path}`, { method: 'POST', body: 'x' })).status).toBe(415);
  });
});
