import { describe, expect, it } from '@jest/globals';

import {
  DECEIVING_TEXTS,
  expectError,
  expectOk,
  LONE_SURROGATES,
  NOT_BOOLEANS,
  RelyingParty,
  Staff,
  UUID,
  WIDE,
  WRONG_STRINGS,
} from '../support/index.js';
import { service, shop, phone, subject, useShop, properties } from './support/session-creations.js';

useShop();

describe('an optional field that is null', () => {
  it.each(['state', 'title', 'subject_id', 'push', 'properties', 'hosted_page', 'signed_data_hash', 'signed_data_name'])(
    '%s counts as absent',
    async (field) => {
      expect(Object.keys(expectOk(await shop.post({ [field]: null }))).sort()).toEqual(['expiresAt', 'pushStatus', 'sessionId']);
    },
  );
});

describe('a field that the combination requires', () => {
  it.each([
    ['code_challenge', {}],
    ['code_challenge_method', {}],
    ['redirect_uri', {}],
    ['signature_type', {}],
    ['redirect_uri', { hosted_page: true }],
    ['subject_id', { push: true }],
    ['subject_id', { push: true, hosted_page: true }],
  ])('%s is refused when it is null, as when it is missing: %j', async (field, others) => {
    expectError(await shop.post({ ...others, [field]: null }), 400, 'invalid_request', field);
    expectError(await shop.post({ ...others, [field]: undefined }), 400, 'invalid_request', field);
  });
});

describe('title', () => {
  it('is not required', async () => {
    expectOk(await shop.post({ title: undefined }));
  });

  it('has at most 255 characters, counted as code points', async () => {
    expectOk(await shop.post({ title: WIDE.repeat(255) }));
    expectError(await shop.post({ title: WIDE.repeat(255) + 'x' }), 400, 'invalid_request', 'title');
  });

  it.each(['Log in', '登录 — Вход — تسجيل الدخول — כניסה', 'a\u0301', '👩‍👩‍👧', '<b>&amp;"\'', "'; DROP TABLE events; --", '${7*7}{{7*7}}', 'a​b'])(
    'may be %p',
    async (title) => {
      expectOk(await shop.post({ title }));
    },
  );

  it.each([...WRONG_STRINGS, ...DECEIVING_TEXTS, ...LONE_SURROGATES])('may not be %s', async (_, value) => {
    expectError(await shop.post({ title: value }), 400, 'invalid_request', 'title');
  });
});

describe('subject_id', () => {
  it('is not required', async () => {
    expectOk(await shop.post({ subject_id: undefined }));
  });

  it('may be a subjectId of the client', async () => {
    expect(expectOk(await shop.post({ subject_id: subject }))['pushStatus']).toBe('NOT_REQUESTED');
  });

  it('may be one that cannot be resolved', async () => {
    expect(expectOk(await shop.post({ subject_id: crypto.randomUUID() }))['pushStatus']).toBe('NOT_REQUESTED');
  });

  it.each([
    ...WRONG_STRINGS,
    ['empty', ''],
    ['no UUID', 'somebody'],
    ['a UUID without its hyphens', crypto.randomUUID().replaceAll('-', '')],
    ['a UUID in braces', `{${crypto.randomUUID()}}`],
    ['two UUIDs', `${crypto.randomUUID()}${crypto.randomUUID()}`],
  ])('may not be %s', async (_, value) => {
    expectError(await shop.post({ subject_id: value }), 400, 'invalid_request', 'subject_id');
  });
});

describe('push', () => {
  it('is false by default: NOT_REQUESTED', async () => {
    expect(expectOk(await shop.post())['pushStatus']).toBe('NOT_REQUESTED');
    expect(expectOk(await shop.post({ push: false }))['pushStatus']).toBe('NOT_REQUESTED');
  });

  it('requires subject_id', async () => {
    expectError(await shop.post({ push: true }), 400, 'invalid_request', 'subject_id');
  });

  it('sends the session to every device of the subject: DISPATCHED', async () => {
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const phones = [await staff.phoneOf(person), await staff.phoneOf(person)];
    const subjectId = await shop.subjectOf(phones[0]!);
    const login = await shop.login({ push: true, subject_id: subjectId });
    expect(login.pushStatus).toBe('DISPATCHED');
    for (const one of phones) expect(await one.pendingIds()).toContain(login.sessionId);
    expect(await phone.pendingIds()).not.toContain(login.sessionId);
  });

  it('answers NO_DEVICE for a subject_id that cannot be resolved', async () => {
    const answer = expectOk(await shop.post({ push: true, subject_id: crypto.randomUUID() }));
    expect(answer['pushStatus']).toBe('NO_DEVICE');
    expect(answer['sessionId']).toMatch(UUID);
  });

  it("answers NO_DEVICE for another client's subject_id", async () => {
    const other = await RelyingParty.register(service);
    expect(expectOk(await other.post({ push: true, subject_id: subject }))['pushStatus']).toBe('NO_DEVICE');
  });

  it('answers NO_DEVICE when the only device is revoked', async () => {
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const only = await staff.phoneOf(person);
    const subjectId = await shop.subjectOf(only);
    await staff.ask('DELETE', `/identities/${person.identityId}/devices/${only.deviceId}`);
    expect(expectOk(await shop.post({ push: true, subject_id: subjectId }))['pushStatus']).toBe('NO_DEVICE');
  });

  it.each(NOT_BOOLEANS)('may not be %s', async (_, value) => {
    expectError(await shop.post({ push: value, subject_id: subject }), 400, 'invalid_request', 'push');
  });
});

describe('properties', () => {
  it('is not required', async () => {
    expectOk(await shop.post({ properties: undefined }));
  });

  it('is base64url-encoded JSON', async () => {
    expectOk(await shop.post({ properties: properties({ attributes: ['name'] }) }));
  });

  it.each([
    ...WRONG_STRINGS,
    ['empty', ''],
    ['JSON as it stands', '{"attributes":["name"]}'],
    ['no JSON', Buffer.from('name').toString('base64url')],
    ['padded', `${properties({ attributes: ['name'] })}=`],
    ['standard base64', Buffer.from('{"attributes":["name"],"predicates":[]}   ~~~???').toString('base64')],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64url')],
  ])('malformed, %s, is invalid_request', async (_, value) => {
    expectError(await shop.post({ properties: value }), 400, 'invalid_request', 'properties');
  });

  it("outside the client's allow-list is invalid_scope", async () => {
    expectError(await shop.post({ properties: properties({ attributes: ['email'] }) }), 400, 'invalid_scope');
    expectError(await shop.post({ properties: properties({ predicates: ['ageOver18'] }) }), 400, 'invalid_scope');
  });
});
