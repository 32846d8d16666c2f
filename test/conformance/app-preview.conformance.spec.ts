import { describe, expect, it } from '@jest/globals';

import { expectError, expectOk, newCast, RelyingParty, secret, SigningClient, UNKNOWN_SESSION, word } from '../support/index.js';

const { service, staff, shop, phone } = await newCast();
const other = await staff.newPhone();

describe('the preview of a session', () => {
  it('names the relying party, its domain and the type, and nothing else; it changes nothing', async () => {
    const title = secret('title', `Log in to ${word()}`);
    const login = await shop.login({ title });
    const preview = {
      sessionId: login.sessionId,
      signatureType: 'AUTHENTICATION',
      relyingPartyName: shop.name,
      relyingPartyDomain: new URL(shop.redirectUri).host,
    };
    for (const each of [phone, phone, other]) expect(expectOk(await each.preview(login.sessionId))).toEqual(preview);
    expect(await shop.statusOf(login)).toBe('PENDING');
    expectError(await phone.decline(login.sessionId), 409, 'session_not_scanned');
    expectOk(await other.scan(login.sessionId));
  });

  it('of a signature has no domain where the session has no redirect URI', async () => {
    const { sessionId } = await SigningClient.of(shop).begin();
    expect(expectOk(await phone.preview(sessionId))).toEqual({ sessionId, signatureType: 'SIGNING', relyingPartyName: shop.name });
  });

  it('does not tell whether the person may scan', async () => {
    const login = await shop.login({ subject_id: await shop.subjectOf(phone) });
    expect((await other.preview(login.sessionId)).text).toBe((await phone.preview(login.sessionId)).text);
    expectError(await other.scan(login.sessionId), 403, 'subject_not_allowed');
  });

  it('still answers the device that has scanned', async () => {
    for (const { sessionId } of [await shop.scanned(phone), await shop.confirmed(phone)])
      expect(expectOk(await phone.preview(sessionId))).toMatchObject({ sessionId, relyingPartyName: shop.name });
  });
});

describe('the preview is refused', () => {
  it.each([UNKNOWN_SESSION, 'x'])('with session_not_found for an unknown session: %s', async (sessionId) => {
    expectError(await phone.preview(sessionId), 404, 'session_not_found');
  });

  it('with session_not_found for a session of a disabled client', async () => {
    const closed = await RelyingParty.register(service);
    const { sessionId } = await closed.login();
    await staff.ask('POST', `/clients/${closed.clientId}/disable`);
    expectError(await phone.preview(sessionId), 404, 'session_not_found');
  });

  it('with session_already_scanned when another device has it', async () => {
    const { sessionId } = await shop.scanned(phone);
    expectError(await other.preview(sessionId), 409, 'session_already_scanned');
  });

  it('with session_expired when it was cancelled', async () => {
    const login = await shop.login();
    await shop.cancel(login);
    expectError(await phone.preview(login.sessionId), 410, 'session_expired');
  });

  it('with device_locked to a locked phone, whether the session exists or not', async () => {
    const locked = await staff.newPhone();
    const { sessionId } = await shop.scanned(locked);
    for (let tries = 0; tries < 3; tries++) await locked.confirm(sessionId, { pin: locked.wrongPin(tries) });
    for (const id of [(await shop.login()).sessionId, UNKNOWN_SESSION]) expectError(await locked.preview(id), 423, 'device_locked');
  });

  it('without a device proof', async () => {
    const { sessionId } = await shop.login();
    const answer = await service.send({ method: 'GET', path: `/app/v1/session/${sessionId}` });
    expectError(answer, 401, 'invalid_device_proof');
    expect(answer.text).not.toContain(shop.name);
  });
});
