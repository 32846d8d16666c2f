import { describe, expect, it } from '@jest/globals';

import { expectError, expectOk, HASH, NAME, newCast, nowInSeconds, RelyingParty, SigningClient, UNKNOWN_SESSION } from '../support/index.js';

const { service, staff, shop } = await newCast();
const signingClient = await SigningClient.register(service);
const person = await staff.registerPerson();
const phone = await staff.phoneOf(person);

describe('the response', () => {
  it('has container, hash and name of the data, signingTime, and the signer', async () => {
    const before = nowInSeconds();
    const result = expectOk(await signingClient.client.result(await signingClient.completed(phone)));
    expect(result).toEqual({
      container: expect.stringMatching(/^[A-Za-z0-9+/]+={0,2}$/),
      signedDataHash: HASH,
      signedDataName: NAME,
      signingTime: expect.any(Number),
      name: `${person.given_name} ${person.family_name}`,
      personalCode: person.personal_code,
      dateOfBirth: person.date_of_birth,
      country: person.country,
    });
    expect(Math.abs((result['signingTime'] as number) - before)).toBeLessThan(60);
  });

  it('container is an ASiC-E: mimetype first and stored, then manifest and signature, and no more', async () => {
    const result = expectOk(await signingClient.client.result(await signingClient.completed(phone)));
    const container = Buffer.from(result['container'] as string, 'base64');
    expect(container.subarray(30, 38).toString()).toBe('mimetype');
    expect(container.subarray(38, 69).toString()).toBe('application/vnd.etsi.asic-e+zip');
    expect(container.readUInt16LE(container.length - 12)).toBe(3);
    for (const name of ['META-INF/ASiCManifest001.xml', 'META-INF/signature001.p7s']) expect(container.includes(name)).toBe(true);
    expect(container.includes(Buffer.from(HASH, 'hex').toString('base64'))).toBe(true);
  });

  it('is repeatable, to the byte', async () => {
    const signing = await signingClient.completed(phone);
    const first = await signingClient.client.result(signing);
    for (let time = 0; time < 3; time++) expect((await signingClient.client.result(signing)).text).toBe(first.text);
  });

  it('names the data detached-file when the client gave no name', async () => {
    expect(expectOk(await signingClient.client.result(await signingClient.completed(phone, { signed_data_name: undefined })))['signedDataName']).toBe(
      'detached-file',
    );
  });
});

describe('invalid_request', () => {
  it('the session is an authentication session, in every status', async () => {
    for (const login of [await shop.login(), await shop.scanned(phone), await shop.confirmed(phone), await shop.completed(phone)]) {
      expectError(await shop.result(login), 400, 'invalid_request');
    }
  });
});

describe('not_signed', () => {
  it('the session has not reached COMPLETED: PENDING, SCANNED, CANCELLED', async () => {
    const cancelled = await signingClient.begin();
    await signingClient.client.cancel(cancelled);
    for (const signing of [await signingClient.begin(), await signingClient.scanned(phone), cancelled]) {
      expectError(await signingClient.client.result(signing), 409, 'not_signed');
    }
  });
});

describe('session_not_found', () => {
  it('unknown session', async () => {
    expectError(await shop.result({ sessionId: UNKNOWN_SESSION }), 404, 'session_not_found');
  });

  it("another client's session", async () => {
    const other = await RelyingParty.register(service);
    expectError(await other.result(await shop.login()), 404, 'session_not_found');
    expectError(await other.result(await signingClient.completed(phone)), 404, 'session_not_found');
  });

  it('a sessionId that is no UUID', async () => {
    expectError(await shop.result({ sessionId: 'x' }), 404, 'session_not_found');
  });

  it('the signer was erased', async () => {
    const erased = await staff.registerPerson();
    const signing = await signingClient.completed(await staff.phoneOf(erased));
    await staff.ask('DELETE', `/identities/${erased.identityId}`);
    expectError(await signingClient.client.result(signing), 404, 'session_not_found');
  });
});
