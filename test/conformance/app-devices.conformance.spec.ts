import { beforeAll, describe, expect, it } from '@jest/globals';

import { expectError, expectOk, Phone, type Service, sharedService, Staff } from '../support/index.js';

let service: Service;
let staff: Staff;

beforeAll(async () => {
  service = await sharedService();
  staff = new Staff(service);
});

const phonesOf = async (): Promise<[Phone, Phone]> => {
  const person = await staff.registerPerson();
  const enrol = async () => new Phone(service).enrol(await staff.activationCode(person));
  return [await enrol(), await enrol()];
};

const list = (phone: Phone) => phone.call('GET', '/app/v1/devices');
const revoke = (by: Phone, deviceId: string, pin?: string) => by.call('POST', `/app/v1/devices/${deviceId}/revoke`, { pin_proof: by.pinProof(pin) });

describe('GET /app/v1/devices answers', () => {
  it('the devices of the person, the newest enrolment first, and marks the one that asks', async () => {
    const [first, second] = await phonesOf();
    const { devices } = expectOk(await list(first));
    const entry = { name: expect.any(String), platform: 'conformance suite', status: 'ACTIVE', enrolledAt: expect.any(Number) };
    expect(devices).toEqual([
      { deviceId: second.deviceId, ...entry, current: false },
      { deviceId: first.deviceId, ...entry, current: true },
    ]);
  });
});

describe('POST /app/v1/devices/{deviceId}/revoke', () => {
  it('revokes another device of the person for good; a repetition is accepted', async () => {
    const [first, lost] = await phonesOf();
    for (let times = 0; times < 2; times++) expect((await revoke(first, lost.deviceId)).status).toBe(204);
    expectError(await lost.show(), 401, 'invalid_device_proof');
    expect(expectOk(await list(first))['devices']).toHaveLength(1);
  });

  it('takes the PIN, and locks the device that asks after three wrong ones', async () => {
    const [thief, other] = await phonesOf();
    for (let tries = 0; tries < 3; tries++) expectError(await revoke(thief, other.deviceId, '000000'), 403, 'wrong_pin');
    for (const answer of [await revoke(thief, other.deviceId), await list(thief)]) expectError(answer, 423, 'device_locked');
    expectOk(await other.show());
  });

  it('answers 404 for a device that is unknown or of another person', async () => {
    const [phone, stranger] = [await staff.newPhone(), await staff.newPhone()];
    for (const id of [stranger.deviceId, crypto.randomUUID(), 'nonsense']) expectError(await revoke(phone, id), 404, 'device_not_found');
    expectOk(await stranger.show());
  });
});
