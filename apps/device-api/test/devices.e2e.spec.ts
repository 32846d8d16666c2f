import { createHmac, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { DeviceConnection, type Phone } from '#clients/software-phone';
import { streamName } from '#engines/event-store';
import { signingRequest } from '#testkit/pki/signing-requests';

import { deviceApiFixture, PIN, WRONG_PIN } from './device-api.fixture.js';

let api: Awaited<ReturnType<typeof deviceApiFixture>>;
let phone: Phone;

beforeAll(async () => {
  api = await deviceApiFixture();
  phone = await api.enrol();
});

afterAll(() => api.close());

const refusal = (status: number, errorCode: string) => ({ status, body: { errorCode } });

describe('the holder of an activation code', () => {
  const newPhone = () =>
    new DeviceConnection({
      baseUrl: api.baseUrl,
      key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      clock: api.platform.clock,
    });
  const holder = (activationCode: unknown) => newPhone().call('POST', '/app/v1/device/holder', { activation_code: activationCode });

  it('is told to a new key, and the code stays usable', async () => {
    const activationCode = await api.activationCode();
    expect(await holder(activationCode)).toMatchObject({ status: 200, body: { givenName: 'Mari', familyName: 'Maasikas' } });
    expect((await holder(activationCode)).status).toBe(200);
    expect((await api.enrol({ activationCode })).deviceId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is not told by a code that enrols no phone, and these are not told apart', async () => {
    const [used, late] = [await api.activationCode(), await api.activationCode()];
    await api.enrol({ activationCode: used });
    const refused = refusal(400, 'invalid_activation_code');
    for (const code of [used, 'nonsense', `${late.slice(0, -1)}${late.endsWith('A') ? 'B' : 'A'}`]) expect(await holder(code)).toMatchObject(refused);
    api.platform.clock.advance(15 * 60_000);
    expect(await holder(late)).toMatchObject(refused);
  });

  it.each([undefined, '', 7, 'x'.repeat(256)])('needs the code as text, not %p', async (code) => {
    expect(await holder(code)).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
  });

  it('needs the proof of a new key', async () => {
    const activationCode = await api.activationCode();
    const reply = await phone.call('POST', '/app/v1/device/holder', { activation_code: activationCode });
    expect(reply).toMatchObject({ status: 401, body: { errorCode: 'invalid_device_proof' } });
  });
});

describe('the devices of a person', () => {
  const person = async (personalCode: string) => {
    const identityId = await api.identity.registerIdentity.execute({ givenName: 'Ada', familyName: 'Byron', personalCode, country: 'FI' });
    const enrol = async (name: string) => api.enrol({ name, activationCode: await api.activationCode(identityId) });
    return { identityId, enrol };
  };
  const list = async (of: Phone) => {
    const reply = await of.call<{ devices: { name: string }[] }>('GET', '/app/v1/devices');
    if (!reply.ok) throw new Error(`no list: ${reply.status}`);
    return reply.body;
  };
  const revoke = (by: Phone, deviceId: string, pin = PIN) =>
    by.call('POST', `/app/v1/devices/${deviceId}/revoke`, { pin_proof: createHmac('sha256', by.keys.pinKey).update(pin).digest('base64url') });

  it('are listed for each of them, the newest first, and no revoked one', async () => {
    const { identityId, enrol } = await person('D-1');
    const [first, second] = [await enrol('First'), await enrol('Second')];
    const now = Math.floor(api.platform.clock.now() / 1000);
    const entry = { platform: 'test', status: 'ACTIVE', enrolledAt: now };
    const listed = [
      { deviceId: second.deviceId, name: 'Second', ...entry, current: false },
      { deviceId: first.deviceId, name: 'First', ...entry, current: true },
    ];
    expect(await list(first)).toEqual({ devices: listed });
    await api.identity.revokeDevice.execute(identityId, second.deviceId as never);
    expect(await list(first)).toEqual({ devices: listed.slice(1) });
  });

  it('are revoked by one another with the PIN, for good, and the event names the device that did it', async () => {
    const { enrol } = await person('D-2');
    const [first, lost] = [await enrol('First'), await enrol('Lost')];
    for (let times = 0; times < 2; times++) expect((await revoke(first, lost.deviceId)).status).toBe(204);
    expect(await lost.device()).toMatchObject({ status: 401, body: { errorCode: 'invalid_device_proof' } });
    const events = await api.platform.eventStore.read(streamName('device', lost.deviceId));
    expect(events.filter(({ type }) => type === 'DeviceRevoked').map(({ data }) => data)).toMatchObject([{ by: first.deviceId }]);
    expect((await revoke(first, first.deviceId)).status).toBe(204);
    expect((await first.device()).status).toBe(401);
  });

  it('are not revoked without the right PIN, which counts as at a login', async () => {
    const { enrol } = await person('D-3');
    const [thief, other] = [await enrol('Stolen'), await enrol('Other')];
    for (const attemptsLeft of [2, 1, 0])
      expect(await revoke(thief, other.deviceId, WRONG_PIN)).toMatchObject({
        status: 403,
        body: { errorCode: 'wrong_pin', payload: { attemptsLeft } },
      });
    for (const reply of [await revoke(thief, other.deviceId), await thief.call('GET', '/app/v1/devices')])
      expect(reply).toMatchObject({ status: 423, body: { errorCode: 'device_locked' } });
    expect((await other.device()).status).toBe(200);
    expect((await list(other)).devices.map(({ name }) => name)).toEqual(['Other', 'Stolen']);
  });

  it.each([undefined, '', 'x'.repeat(44), 7])('are not revoked with the PIN proof %p', async (pin_proof) => {
    const reply = await phone.call('POST', `/app/v1/devices/${phone.deviceId}/revoke`, { pin_proof });
    expect(reply).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
  });

  it('are not those of another person, and no PIN is judged for these', async () => {
    const bob = await api.bob();
    const events = await api.deviceEvents(phone.deviceId);
    for (const id of [bob.deviceId, '00000000-0000-4000-8000-000000000000', 'nonsense'])
      expect(await revoke(phone, id, WRONG_PIN)).toMatchObject({ status: 404, body: { errorCode: 'device_not_found' } });
    expect(await api.deviceEvents(phone.deviceId)).toEqual(events);
    expect((await bob.device()).status).toBe(200);
    expect((await list(bob)).devices.every(({ name }) => name === 'Phone of Bob')).toBe(true);
  });
});

describe('DELETE device', () => {
  const revoked = refusal(401, 'invalid_device_proof');

  it('revokes the phone that sends it, and no other one', async () => {
    const [leaving, other] = [await api.enrol(), await api.enrol()];
    expect((await leaving.call('DELETE', '/app/v1/device')).status).toBe(204);
    expect(await leaving.call('GET', '/app/v1/device')).toMatchObject(revoked);
    expect(await leaving.call('DELETE', '/app/v1/device')).toMatchObject(revoked);
    expect((await other.call('GET', '/app/v1/device')).status).toBe(200);
    const [event] = await api.platform.eventStore.read(streamName('device', leaving.deviceId), { direction: 'backwards', limit: 1 });
    expect(event).toMatchObject({ type: 'DeviceRevoked', data: { by: leaving.deviceId } });
  });

  it('revokes a locked phone too', async () => {
    const locked = await api.enrol();
    const { sessionId } = await api.scanned(locked);
    for (let tries = 0; tries < 3; tries++) await locked.confirm(WRONG_PIN);
    expect((await locked.scan(sessionId)).status).not.toBe(200);
    expect((await locked.call('DELETE', '/app/v1/device')).status).toBe(204);
    expect(await locked.call('GET', '/app/v1/device')).toMatchObject(revoked);
  });

  it('sent twice at once revokes the phone once', async () => {
    const leaving = await api.enrol();
    const answers = await Promise.all([1, 2].map(() => leaving.call('DELETE', '/app/v1/device')));
    expect(answers.every(({ status }) => status === 204 || status === 401)).toBe(true);
    const types = await api.deviceEvents(leaving.deviceId);
    expect(types.filter((type) => type === 'DeviceRevoked')).toHaveLength(1);
  });

  it('needs the proof of an enrolled phone', async () => {
    const connection = new DeviceConnection({
      baseUrl: api.baseUrl,
      key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      clock: api.platform.clock,
    });
    expect(await connection.call('DELETE', '/app/v1/device')).toMatchObject(revoked);
  });
});

// The last one: it moves the clock to the end of the certificates.
describe('the signing certificate of a device', () => {
  const renew = (by: Phone, signing_csr: unknown = requestOf(by)) =>
    by.call<{ signingCertificate: string; certificateChain: string[] }>('POST', '/app/v1/device/certificate', { signing_csr });
  const requestOf = ({ keys: { signing } }: Phone): string =>
    signingRequest({ privateKey: signing, publicKey: createPublicKey(signing) }).toString('base64');
  const certificateOf = (text = ''): X509Certificate => new X509Certificate(Buffer.from(text, 'base64'));

  it('is answered as it is while it is not due', async () => {
    const { signingCertificate, certificateChain } = phone;
    expect(await renew(phone)).toMatchObject({ status: 200, body: { signingCertificate, certificateChain } });
  });

  it.each([null, '', 7, 'not base64!', Buffer.from('no request').toString('base64')])('is not renewed by the request %p', async (request) => {
    expect(await renew(phone, request)).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
  });

  it('is not renewed for the key of another device, nor by a key that is no device', async () => {
    expect(await renew(phone, requestOf(await api.bob()))).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
    const stranger = new DeviceConnection({ baseUrl: api.baseUrl, key: phone.keys.signing, clock: api.platform.clock });
    const reply = await stranger.call('POST', '/app/v1/device/certificate', { signing_csr: requestOf(phone) });
    expect(reply).toMatchObject({ status: 401, body: { errorCode: 'invalid_device_proof' } });
  });

  it('is renewed for the same key near its end', async () => {
    const before = certificateOf(phone.signingCertificate);
    api.platform.clock.advance(before.validToDate.getTime() - 10 * 86_400_000 - api.platform.clock.now());
    const reply = await renew(phone);
    if (!reply.ok) throw new Error(`not renewed: ${reply.status}`);
    const after = certificateOf(reply.body.signingCertificate);
    expect(after.validToDate.getTime()).toBeGreaterThan(before.validToDate.getTime());
    expect([after.subject, after.publicKey.equals(before.publicKey)]).toEqual([before.subject, true]);
    expect(await renew(phone)).toMatchObject({ status: 200, body: reply.body });
  });

  it('is not renewed after its end', async () => {
    const bob = await api.bob();
    api.platform.clock.advance(certificateOf(bob.signingCertificate).validToDate.getTime() + 1000 - api.platform.clock.now());
    expect(await renew(bob)).toMatchObject({ status: 400, body: { errorCode: 'invalid_request', payload: { remedy: 'ENROL_AGAIN' } } });
  });
});
