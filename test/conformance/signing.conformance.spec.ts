import { createHash } from 'node:crypto';

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import {
  Browser,
  expectError,
  expectOk,
  HASH,
  NAME,
  SigningClient,
  type Person,
  type Phone,
  RelyingParty,
  type Service,
  sharedService,
  Staff,
  UUID,
} from '../support/index.js';

let service: Service;
let staff: Staff;
let signingClient: SigningClient;
let person: Person;
let phone: Phone;

beforeAll(async () => {
  service = await sharedService();
  staff = new Staff(service);
  signingClient = await SigningClient.register(service);
  person = await staff.registerPerson();
  phone = await staff.phoneOf(person);
});

const hosted = () => ({ hosted_page: true, redirect_uri: signingClient.client.redirectUri, state: 'the state, unchanged' });

describe('the states of a signing session', () => {
  it('are PENDING, SCANNED and COMPLETED', async () => {
    const signing = await signingClient.begin();
    expect(signing).toMatchObject({ sessionId: expect.stringMatching(UUID), pushStatus: 'NOT_REQUESTED' });
    expect(expectOk(await signingClient.client.status(signing))).toEqual({ status: 'PENDING', expiresAt: signing.expiresAt });
    await phone.scan(signing.sessionId);
    expect(expectOk(await signingClient.client.status(signing))).toEqual({ status: 'SCANNED', expiresAt: signing.expiresAt });
    await phone.confirm(signing.sessionId);
    await signingClient.settled(signing);
    expect(expectOk(await signingClient.client.status(signing))).toEqual({ status: 'COMPLETED' });
  });

  it('never show CONFIRMED: the PIN leaves it SCANNED until the result can be fetched', async () => {
    const { sessionId } = await signingClient.scanned(phone);
    const seen = new Set<string>();
    const polling = (async () => {
      for (let status = ''; status !== 'COMPLETED';) {
        status = (await signingClient.client.status({ sessionId })).json!['status'] as string;
        if (status === 'COMPLETED') expectOk(await signingClient.client.result({ sessionId }));
        seen.add(status);
      }
    })();
    expect(expectOk(await phone.confirm(sessionId))).toEqual({ status: 'SCANNED' });
    await polling;
    expect(seen).toEqual(new Set(['SCANNED', 'COMPLETED']));
  });

  it('the confirmation repeated answers the same', async () => {
    const { sessionId } = await signingClient.scanned(phone);
    for (let time = 0; time < 3; time++) expect(['SCANNED', 'COMPLETED']).toContain(expectOk(await phone.confirm(sessionId))['status']);
    expect(await signingClient.settled({ sessionId })).toBe('COMPLETED');
  });

  it.each(['DECLINED', 'LEFT'])('the signer says %s: CANCELLED, and not_signed', async (reason) => {
    const signing = await signingClient.scanned(phone);
    expect(expectOk(await phone.decline(signing.sessionId, reason))).toEqual({ status: 'CANCELLED' });
    expect(await signingClient.client.statusOf(signing, 'CANCELLED')).toBe('CANCELLED');
    expectError(await signingClient.client.result(signing), 409, 'not_signed');
  });

  it('three wrong PINs: CANCELLED, the device locked', async () => {
    const locked = await staff.newPhone();
    const signing = await signingClient.scanned(locked);
    for (let tries = 0; tries < 3; tries++) expectError(await locked.confirm(signing.sessionId, { pin: locked.wrongPin(tries) }), 403, 'wrong_pin');
    expectError(await locked.confirm(signing.sessionId), 423, 'device_locked');
    expect(await signingClient.client.statusOf(signing, 'CANCELLED')).toBe('CANCELLED');
    expectError(await signingClient.client.result(signing), 409, 'not_signed');
  });

  it('the relying party withdraws it until the PIN was accepted, and not after', async () => {
    for (const signing of [await signingClient.begin(), await signingClient.scanned(phone)]) {
      expect((await signingClient.client.cancel(signing)).status).toBe(204);
      expectError(await signingClient.client.result(signing), 409, 'not_signed');
    }
    const signed = await signingClient.confirmed(phone);
    expectError(await signingClient.client.cancel(signed), 409, 'session_not_cancellable');
    expect(await signingClient.settled(signed)).toBe('COMPLETED');
    expectError(await signingClient.client.cancel(signed), 409, 'session_not_cancellable');
  });

  it('with subject_id, only that subject may scan', async () => {
    const subject = await signingClient.client.subjectOf(phone);
    const stranger = await staff.newPhone();
    const signing = await signingClient.begin({ subject_id: subject, push: true });
    expect(signing.pushStatus).toBe('DISPATCHED');
    expect(await phone.pendingIds()).toContain(signing.sessionId);
    expectError(await stranger.scan(signing.sessionId), 403, 'subject_not_allowed');
    expectOk(await phone.scan(signing.sessionId));
  });
});

describe('the scan of a signing session', () => {
  let shown: Record<string, unknown>;
  beforeEach(async () => {
    const signing = await signingClient.begin({ title: 'Rent, 2 rooms' });
    shown = expectOk(await phone.scan(signing.sessionId));
  });

  it('shows name and hash of the data, and the title', () => {
    expect(shown).toMatchObject({
      signatureType: 'SIGNING',
      relyingPartyName: signingClient.client.name,
      title: 'Rent, 2 rooms',
      signedDataName: NAME,
      signedDataHash: HASH,
      signatureAlgorithm: 'ES256',
    });
    expect(shown).not.toHaveProperty('requested');
  });

  it('carries the manifest, which names the data by hash and whose digest is signed', () => {
    const manifest = Buffer.from(shown['manifest'] as string, 'base64');
    expect(manifest.toString()).toContain(`URI="${NAME}"`);
    expect(manifest.toString()).toContain(Buffer.from(HASH, 'hex').toString('base64'));
    const toBeSigned = Buffer.from(shown['toBeSigned'] as string, 'base64');
    expect(toBeSigned.includes(createHash('sha256').update(manifest).digest())).toBe(true);
  });

  it('calls the data detached-file when it has no name, and shows the hash in lower case', async () => {
    const { sessionId } = await signingClient.begin({ signed_data_name: undefined, signed_data_hash: HASH.toUpperCase() });
    expect(expectOk(await phone.scan(sessionId))).toMatchObject({ signedDataName: 'detached-file', signedDataHash: HASH });
  });

  it("a signature with the device's other key, or over other bytes, is invalid_signature, and may be corrected", async () => {
    const { sessionId } = await signingClient.scanned(phone);
    const toBeSigned = Buffer.from('something else').toString('base64');
    for (const signature of [phone.signature(sessionId, undefined, phone.key), phone.signature(sessionId, toBeSigned), 'AAAA']) {
      expectError(await phone.confirm(sessionId, { signature }), 400, 'invalid_signature');
    }
    expectOk(await phone.confirm(sessionId));
    expect(await signingClient.settled({ sessionId })).toBe('COMPLETED');
  });
});

describe('completion of a signing session', () => {
  it('hosted: redirect_uri with state only, once', async () => {
    const signing = await signingClient.begin(hosted());
    expectError(await signingClient.client.complete(signing), 409, 'session_not_confirmed');
    await phone.scan(signing.sessionId);
    expectError(await signingClient.client.complete(signing), 409, 'session_not_confirmed');
    await phone.confirm(signing.sessionId);
    await signingClient.settled(signing);
    const { redirect } = expectOk(await signingClient.client.complete(signing)) as { redirect: string };
    expect(redirect).toBe(`${signingClient.client.redirectUri}?state=the%20state%2C%20unchanged`);
    expectError(await signingClient.client.complete(signing), 409, 'session_already_completed');
    expect(await signingClient.client.statusOf(signing)).toBe('COMPLETED');
    expectOk(await signingClient.client.result(signing));
  });

  it('hosted without state: redirect_uri as it is', async () => {
    const signing = await signingClient.completed(phone, { ...hosted(), state: undefined });
    expect(expectOk(await signingClient.client.complete(signing))).toEqual({ redirect: signingClient.client.redirectUri });
  });

  it('hosted, of fifty at once one succeeds', async () => {
    const signing = await signingClient.completed(phone, hosted());
    const answers = await Promise.all(Array.from({ length: 50 }, () => signingClient.client.complete(signing)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
  });

  it('hosted, a cancelled session has no redirect', async () => {
    const signing = await signingClient.scanned(phone, hosted());
    await phone.decline(signing.sessionId);
    expectError(await signingClient.client.complete(signing), 409, 'session_not_confirmed');
  });

  it('self-hosted: invalid_request, in every status', async () => {
    for (const signing of [await signingClient.begin(), await signingClient.scanned(phone), await signingClient.completed(phone)]) {
      expectError(await signingClient.client.complete(signing), 400, 'invalid_request');
    }
  });

  it('the hosted page claims, waits and completes it as a login', async () => {
    const signing = await signingClient.begin(hosted());
    const browser = new Browser(service);
    expectOk(await browser.claim(signing.handoffToken));
    expectOk(await phone.scan(signing.sessionId));
    expect(expectOk(await browser.status(signing.sessionId))['status']).toBe('SCANNED');
    expectOk(await phone.confirm(signing.sessionId));
    await signingClient.settled(signing);
    expect(expectOk(await browser.status(signing.sessionId))).toEqual({ status: 'COMPLETED' });
    const { redirect } = expectOk(await browser.complete(signing.sessionId)) as { redirect: string };
    expect([...new URL(redirect).searchParams.keys()]).toEqual(['state']);
  });

  it("another client's is session_not_found", async () => {
    const other = await RelyingParty.register(service);
    expectError(await other.complete(await signingClient.completed(phone, hosted())), 404, 'session_not_found');
  });
});

describe('the timeline of a signing session', () => {
  it('shows its events, the confirmation included, and nothing of the signed data', async () => {
    const { sessionId } = await signingClient.completed(phone);
    const { text, json } = await staff.timeline(sessionId);
    const types = (json!['events'] as { type: string }[]).map(({ type }) => type);
    expect(types[0]).toBe('SessionCreated');
    expect(types.at(-1)).toBe('SessionCompleted');
    for (const datum of [HASH, NAME, person.family_name, person.personal_code]) expect(text).not.toContain(datum);
  });
});
