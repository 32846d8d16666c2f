import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  expectError,
  expectOk,
  HASH,
  SigningClient,
  nowInSeconds,
  type Phone,
  type OwnService,
  type Service,
  sharedService,
  Staff,
  startOwn,
  startsOwn,
  UUID,
} from '../support/index.js';

let service: Service;
let signingClient: SigningClient;
let phone: Phone;
let subject: string;

beforeAll(async () => {
  service = await sharedService();
  signingClient = await SigningClient.register(service);
  phone = await new Staff(service).newPhone();
  subject = await signingClient.client.subjectOf(phone);
});

const request = (changes: Record<string, unknown> = {}, { client } = signingClient) =>
  client.call('POST', '/relying-party/v1/create-signing-request', { subject_id: subject, signed_data_hash: HASH, ...changes });

describe('create-signing-request', () => {
  it('answers as POST session with push: 300 seconds, DISPATCHED', async () => {
    const answer = expectOk(await request({ signed_data_name: 'contract.pdf', title: 'The contract' }));
    expect(answer).toEqual({ sessionId: expect.stringMatching(UUID), expiresAt: expect.any(Number), pushStatus: 'DISPATCHED' });
    expect((answer['expiresAt'] as number) - nowInSeconds()).toBeGreaterThan(295);
    const sessionId = answer['sessionId'] as string;
    expect(await phone.pendingIds()).toContain(sessionId);
    expect(expectOk(await phone.scan(sessionId))).toMatchObject({
      signatureType: 'SIGNING',
      signedDataName: 'contract.pdf',
      signedDataHash: HASH,
      title: 'The contract',
    });
    expectOk(await phone.confirm(sessionId));
    expect(await signingClient.settled({ sessionId })).toBe('COMPLETED');
    expectOk(await signingClient.client.result({ sessionId }));
  });

  it('announces its end: Deprecation, Sunset and the successor', async () => {
    const { headers } = await request();
    expect(headers['deprecation']).toMatch(/^@\d+$/);
    expect(Date.parse(headers['sunset'] as string)).toBeGreaterThan(Date.now());
    expect(headers['link']).toMatch(/rel="successor-version"/);
  });

  it('answers NO_DEVICE for a subject that cannot be resolved', async () => {
    expect(expectOk(await request({ subject_id: crypto.randomUUID() }))['pushStatus']).toBe('NO_DEVICE');
  });

  it.each([
    ['subject_id', { subject_id: undefined }],
    ['subject_id', { subject_id: 'somebody' }],
    ['signed_data_hash', { signed_data_hash: undefined }],
    ['signed_data_hash', { signed_data_hash: 'abc' }],
    ['signed_data_name', { signed_data_name: 'a/b' }],
    ['title', { title: 7 }],
    ['signature_type', { signature_type: 'SIGNING' }],
    ['push', { push: true }],
    ['hosted_page', { hosted_page: true }],
    ['redirect_uri', { redirect_uri: 'https://rp.example/' }],
  ])('names the field %s (%#)', async (field, changes) => {
    expectError(await request(changes), 400, 'invalid_request', field);
  });

  it('needs the credential', async () => {
    const answer = await service.send({
      method: 'POST',
      path: '/relying-party/v1/create-signing-request',
      json: { subject_id: subject, signed_data_hash: HASH },
    });
    expect([answer.status, answer.text]).toEqual([401, '']);
  });
});

(startsOwn ? describe : describe.skip)('create-signing-request, switched off', () => {
  let retired: OwnService;
  beforeAll(async () => {
    retired = await startOwn('legacy-off', { LEGACY_SIGNING: 'false' }, ['session-api']);
  });
  afterAll(() => retired.stop());

  it('answers endpoint_retired, whatever the body', async () => {
    const elsewhere = await SigningClient.register(retired);
    for (const changes of [{}, { subject_id: 'x' }]) expectError(await request(changes, elsewhere), 410, 'endpoint_retired');
  });

  it('POST session with SIGNING still works', async () => {
    expectOk(await (await SigningClient.register(retired)).post());
  });
});
