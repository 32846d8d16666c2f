import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  type Answer,
  DECEIVING_TEXTS,
  expectError,
  expectOk,
  expectSecondsAfter,
  LONE_SURROGATES,
  NOT_STRINGS,
  nowInSeconds,
  pause,
  Phone,
  RelyingParty,
  secret,
  type Service,
  sharedService,
  Staff,
  UNKNOWN_SESSION,
  UUID,
  word,
  WRONG_STRINGS,
} from '../support/index.js';

let service: Service;
let staff: Staff;
let shop: RelyingParty;

beforeAll(async () => {
  service = await sharedService();
  staff = new Staff(service);
  shop = await RelyingParty.register(service, { allowed_attributes: ['name'] });
});

const register = (changes: Record<string, unknown> = {}): Promise<Answer> => staff.call('POST', '/identities', staff.personalData(changes));

describe('POST identities', () => {
  it('answers 201 and identityId, and nothing else', async () => {
    const answer = await register();
    expect([answer.status, Object.keys(answer.json!)]).toEqual([201, ['identityId']]);
    expect(answer.json!['identityId']).toMatch(UUID);
  });

  it('email and phone_number are optional', async () => {
    expect((await register({ email: undefined, phone_number: undefined })).status).toBe(201);
  });

  it.each(['personal_code', 'country'])('%s is required text', async (field) => {
    for (const [, value] of [...NOT_STRINGS, ['missing', undefined], ['empty', '']] as [string, unknown][]) {
      expectError(await register({ [field]: value }), 400, 'invalid_request', field);
    }
  });

  it.each(['given_name', 'family_name', 'date_of_birth'])('%s is text where it is given', async (field) => {
    for (const [, value] of WRONG_STRINGS) expectError(await register({ [field]: value }), 400, 'invalid_request', field);
  });

  it.each([
    { given_name: undefined },
    { family_name: undefined },
    { given_name: '' },
    { family_name: '' },
    { given_name: 'x'.repeat(65) },
    { date_of_birth: undefined },
    { date_of_birth: '1971' },
    { date_of_birth: '1971-12' },
    { country: 'XK' },
  ])('registers a person as a register holds them: %j', async (fields) => {
    expect((await register(fields)).status).toBe(201);
  });

  it('registers a personal code with a plus sign', async () => {
    expect((await register({ country: 'SE', personal_code: `${Date.now()}+1212` })).status).toBe(201);
  });

  it('refuses a person without any name', async () => {
    expectError(await register({ given_name: '', family_name: undefined }), 400, 'invalid_request', 'family_name');
  });

  it.each(['a b', 'ä', 'x'.repeat(33), 'a_b', 'a/b', '١٢٣'])('personal_code is 1 to 32 of A-Z a-z 0-9 - +, not %p', async (value) => {
    expectError(await register({ personal_code: value }), 400, 'invalid_request', 'personal_code');
  });

  it.each(['1990-02-30', '1990-13-01', '1990-1-1', '01.01.1990', '1990-01-01T00:00:00Z', '2999-01-01', 'x', '0000-00-00', '1999-02-29'])(
    'date_of_birth is a date of the past, not %p',
    async (value) => {
      expectError(await register({ date_of_birth: value }), 400, 'invalid_request', 'date_of_birth');
    },
  );

  it.each(['ee', 'EST', 'ZZ', 'E', '12', 'Ｅ'])('country is a country code, not %p', async (value) => {
    expectError(await register({ country: value }), 400, 'invalid_request', 'country');
  });

  it.each([...DECEIVING_TEXTS, ...LONE_SURROGATES])('a name may not hold %s', async (_, value) => {
    expectError(await register({ given_name: value }), 400, 'invalid_request', 'given_name');
  });

  it.each(['identityId', 'client_id', 'givenName'])('an unknown field is refused by its name: %s', async (field) => {
    expectError(await register({ [field]: 'x' }), 400, 'invalid_request', field);
  });

  it('a second one for the same country and code is identity_exists', async () => {
    const personal_code = secret('personal datum', `PC-${word()}`);
    expect((await register({ personal_code })).status).toBe(201);
    expectError(await register({ personal_code }), 409, 'identity_exists');
    expect((await register({ personal_code, country: 'LV' })).status).toBe(201);
  });

  it('of twenty registrations of one person at once, one succeeds', async () => {
    const personal_code = secret('personal datum', `PC-${word()}`);
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({ personal_code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });
});

describe('GET identities', () => {
  it('is paged and shows every registered person', async () => {
    const { identityId } = await staff.registerPerson();
    await pause(service.staleness);
    const seen: unknown[] = [];
    for (let after: unknown, pages = 0; pages < 10_000; pages++) {
      const page = expectOk(await staff.call('GET', `/identities?limit=50${after === undefined ? '' : `&after=${after}`}`));
      seen.push(...(page['identities'] as Record<string, unknown>[]).map((identity) => identity['identityId']));
      after = page['next'];
      if (after === undefined) break;
    }
    expect(seen).toContain(identityId);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('POST activation-codes', () => {
  it('answers 201 and an activationCode, good for 15 minutes', async () => {
    const { identityId } = await staff.registerPerson();
    const began = nowInSeconds();
    const answer = await staff.call('POST', `/identities/${identityId}/activation-codes`);
    expect(answer.status).toBe(201);
    secret('activation code', answer.json!['activationCode'] as string);
    expectSecondsAfter(began, 900, answer.json!['expiresAt']);
  });

  it.each([UNKNOWN_SESSION, 'x'])('identity_not_found: %s', async (id) => {
    expectError(await staff.call('POST', `/identities/${id}/activation-codes`), 404, 'identity_not_found');
  });

  it('of two phones that use one code at once, one is enrolled', async () => {
    const person = await staff.registerPerson();
    const code = await staff.activationCode(person);
    const phones = Array.from({ length: 10 }, () => new Phone(service));
    const bodies = await Promise.all(phones.map((phone) => phone.enrolmentBody(code)));
    const answers = await Promise.all(phones.map((phone, i) => phone.tryEnrol(bodies[i])));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
    expect(expectOk(await staff.call('GET', `/identities/${person.identityId}/devices`))['devices']).toHaveLength(1);
  });
});

describe('devices', () => {
  it('are listed', async () => {
    const person = await staff.registerPerson();
    const phones = [await staff.phoneOf(person), await staff.phoneOf(person)];
    const { devices } = expectOk(await staff.call('GET', `/identities/${person.identityId}/devices`));
    expect((devices as Record<string, unknown>[]).map(({ deviceId, status }) => [deviceId, status]).sort()).toEqual(
      phones.map(({ deviceId }) => [deviceId, 'ACTIVE']).sort(),
    );
  });

  it('revoked, a device is out at once; the session that it has scanned is cancelled; other devices go on', async () => {
    const person = await staff.registerPerson();
    const [lost, kept] = [await staff.phoneOf(person), await staff.phoneOf(person)];
    const login = await shop.scanned(lost);
    expect((await staff.call('DELETE', `/identities/${person.identityId}/devices/${lost.deviceId}`)).status).toBe(204);
    expectError(await lost.confirm(login.sessionId), 401, 'invalid_device_proof');
    expectError(await lost.show(), 401, 'invalid_device_proof');
    expect(await shop.statusOf(login)).toBe('CANCELLED');
    const { events } = expectOk(await staff.call('GET', `/sessions/${login.sessionId}/timeline`));
    expect((events as object[]).at(-1)).toMatchObject({ type: 'SessionCancelled', reason: 'DEVICE_REVOKED' });
    await shop.subjectOf(kept);
  });

  it('device_not_found: unknown, no UUID, or of another person', async () => {
    const person = await staff.registerPerson();
    const other = await staff.newPhone();
    for (const id of [UNKNOWN_SESSION, 'x', other.deviceId]) {
      expectError(await staff.call('DELETE', `/identities/${person.identityId}/devices/${id}`), 404, 'device_not_found');
    }
    expectOk(await other.show());
  });

  it.each([UNKNOWN_SESSION, 'x'])('identity_not_found: %s', async (id) => {
    expectError(await staff.call('GET', `/identities/${id}/devices`), 404, 'identity_not_found');
    expectError(await staff.call('DELETE', `/identities/${id}/devices/${UNKNOWN_SESSION}`), 404, 'identity_not_found');
  });
});

describe('DELETE identities erases the person for good', () => {
  it('devices count as revoked, open codes give invalid_grant, the identity is not found', async () => {
    const person = await staff.registerPerson();
    const phone = await staff.phoneOf(person);
    const open = await shop.completed(phone, { properties: Buffer.from('{"attributes":["name"]}').toString('base64url') });
    const scanned = await shop.scanned(phone);
    expect((await staff.call('DELETE', `/identities/${person.identityId}`)).status).toBe(204);
    expectError(await phone.show(), 401, 'invalid_device_proof');
    expectError(await phone.confirm(scanned.sessionId), 401, 'invalid_device_proof');
    expectError(await shop.token(open.code, open.verifier), 400, 'invalid_grant');
    expectError(await staff.call('POST', `/identities/${person.identityId}/activation-codes`), 404, 'identity_not_found');
    expectError(await staff.call('GET', `/identities/${person.identityId}/devices`), 404, 'identity_not_found');
  });

  it('a later registration is a new person with a new subjectId', async () => {
    const person = await staff.registerPerson();
    const before = await shop.subjectOf(await staff.phoneOf(person));
    await staff.ask('DELETE', `/identities/${person.identityId}`);
    const again = await staff.registerPerson({ personal_code: person.personal_code, country: person.country });
    expect(again.identityId).not.toBe(person.identityId);
    expect(await shop.subjectOf(await staff.phoneOf(again))).not.toBe(before);
  });

  it('the old subjectId cannot be resolved any more: NO_DEVICE, and no phone may scan', async () => {
    const person = await staff.registerPerson();
    const subjectId = await shop.subjectOf(await staff.phoneOf(person));
    await staff.ask('DELETE', `/identities/${person.identityId}`);
    expect((await shop.login({ push: true, subject_id: subjectId })).pushStatus).toBe('NO_DEVICE');
  });

  it.each([UNKNOWN_SESSION, 'x'])('identity_not_found: %s', async (id) => {
    expectError(await staff.call('DELETE', `/identities/${id}`), 404, 'identity_not_found');
  });
});
