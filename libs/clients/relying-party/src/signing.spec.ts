import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NotSigned, RelyingPartyClient, SessionConflict, SessionNotFound, UnexpectedAnswer } from './index.js';
import { ScriptedService, refused } from '../../../../testkit/relying-party-client/scripted-service.js';

const SESSION_ID = '0b9f2c1e-61ac-4a07-8a3f-7a4f0a3c9e55';
const CREATED = { sessionId: SESSION_ID, expiresAt: 1_900_000_120, pushStatus: 'NOT_REQUESTED' };
const DATA = new TextEncoder().encode('The contract, in full.\n');
const HASH = createHash('sha512').update(DATA).digest('hex');
const RESULT = {
  container: Buffer.from('PK').toString('base64'),
  signedDataHash: HASH,
  signedDataName: 'contract.txt',
  signingTime: 1_900_000_060,
  name: 'Mari Maasikas',
  personalCode: '48001010001',
  dateOfBirth: '1980-01-01',
  country: 'EE',
};

let service: ScriptedService;
let client: RelyingPartyClient;

beforeEach(async () => {
  service = await ScriptedService.start();
  client = new RelyingPartyClient({
    baseUrl: service.baseUrl,
    clientId: '7f3c9a52-1f0e-4f57-9a44-2b8f3f0b6c11',
    clientSecret: 'secret',
    pause: async () => undefined,
  });
});

afterEach(() => service.stop());

describe('begins a signing', () => {
  beforeEach(() => service.willAnswer({ status: 200, body: CREATED }));

  it.each([
    ['its hash', { sha512: HASH.toUpperCase() }],
    ['bytes', DATA],
    ['a stream', Readable.from([DATA.subarray(0, 5), DATA.subarray(5)])],
  ])('with %s of the data, and sends the hash alone', async (_, data) => {
    const signing = await client.beginSigning({ data, name: 'contract.txt', size: 142_000, title: 'The contract' });
    expect(signing).toEqual({ ...CREATED, signedDataHash: HASH });
    expect(service.seen[0]?.body).toEqual({
      signature_type: 'SIGNING',
      signed_data_hash: HASH,
      signed_data_name: 'contract.txt',
      signed_data_size: 142_000,
      title: 'The contract',
    });
  });

  it('over several documents, and sends their hashes alone', async () => {
    const documents = [
      { data: DATA, name: 'contract.txt', size: 23 },
      { data: { sha512: 'AB'.repeat(64) }, name: 'annex.pdf' },
    ];
    const hashes = [
      { name: 'contract.txt', hash: HASH },
      { name: 'annex.pdf', hash: 'ab'.repeat(64) },
    ];
    const signing = await client.beginSigningDocuments({ documents, title: 'The contract' });
    expect(signing).toEqual({ ...CREATED, documents: hashes });
    expect(service.seen[0]?.body).toEqual({
      signature_type: 'SIGNING',
      documents: [{ ...hashes[0], size: 23 }, hashes[1]],
      title: 'The contract',
    });
    const { signedDataHash: _, signedDataName: __, ...result } = RESULT;
    service.willAnswer({ status: 200, body: { ...result, documents: hashes } }, { status: 200, body: RESULT });
    expect((await client.documentsResult(SESSION_ID)).documents).toEqual(hashes);
    await expect(client.documentsResult(SESSION_ID)).rejects.toBeInstanceOf(UnexpectedAnswer);
  });

  it('asks a subject by push', async () => {
    await client.beginSigning({ data: DATA, subjectId: 'subject', push: true });
    expect(service.seen[0]?.body).toMatchObject({ subject_id: 'subject', push: true });
  });

  it('on the hosted page, with a state of its own', async () => {
    service.willAnswer({ status: 200, body: { ...CREATED, handoffToken: 'token' } });
    const { state, handoffToken } = await client.beginSigning({ data: DATA, redirectUri: 'https://shop.example/signed' });
    expect(handoffToken).toBe('token');
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(service.seen[0]?.body).toMatchObject({ hosted_page: true, redirect_uri: 'https://shop.example/signed', state });
  });

  it('repeats safely: one Idempotency-Key for all attempts', async () => {
    service.willAnswer({ status: 200, dropped: true }, { status: 200, body: CREATED });
    await client.beginSigning({ data: DATA });
    const [first, second] = service.seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).toBe(second);
  });
});

describe('waits for a signature', () => {
  it('until it is COMPLETED, and never looks for CONFIRMED', async () => {
    service.willAnswer({ status: 200, body: { status: 'SCANNED', expiresAt: 1 } }, { status: 200, body: { status: 'COMPLETED' } });
    expect(await client.waitUntilSettled(SESSION_ID)).toBe('COMPLETED');
  });
});

describe('the result', () => {
  it('has the container as bytes, and all fields', async () => {
    service.willAnswer({ status: 200, body: RESULT });
    expect(await client.result(SESSION_ID)).toEqual({ ...RESULT, container: new Uint8Array([0x50, 0x4b]) });
    expect(service.seen[0]).toMatchObject({ method: 'GET', path: `/relying-party/v1/session/${SESSION_ID}/result` });
  });

  it('may lack the date of birth', async () => {
    const { dateOfBirth: _, ...rest } = RESULT;
    service.willAnswer({ status: 200, body: rest });
    expect(await client.result(SESSION_ID)).toEqual({ ...rest, container: new Uint8Array([0x50, 0x4b]) });
  });

  it('is not there before the signer has signed: NotSigned, a SessionConflict', async () => {
    service.willAnswer(refused(409, 'not_signed'));
    const error = await client.result(SESSION_ID).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotSigned);
    expect(error).toBeInstanceOf(SessionConflict);
  });

  it('is gone after its time: SessionNotFound', async () => {
    service.willAnswer(refused(404, 'session_not_found'));
    await expect(client.result(SESSION_ID)).rejects.toBeInstanceOf(SessionNotFound);
  });

  it.each([{ container: 'no base64!' }, { signingTime: 'now' }, { name: undefined }])('is not made up from a broken answer: %p', async (changes) => {
    service.willAnswer({ status: 200, body: { ...RESULT, ...changes } });
    await expect(client.result(SESSION_ID)).rejects.toBeInstanceOf(UnexpectedAnswer);
  });
});
