import { describe, expect, it } from '@jest/globals';

import {
  DECEIVING_TEXTS,
  expectError,
  expectOk,
  LONE_SURROGATES,
  NOT_OBJECTS,
  NOT_STRINGS,
  OTHER_TYPES,
  UUID,
  WIDE,
  word,
} from '../support/index.js';
import { service, staff, useStaff, terms, register } from './support/registered-clients.js';

useStaff();

describe('POST clients', () => {
  it('answers 201, clientId (a UUID) and clientSecret', async () => {
    const answer = await register();
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.json!).sort()).toEqual(['clientId', 'clientSecret']);
    expect(answer.json!['clientId']).toMatch(UUID);
  });

  it('the secret is shown once', async () => {
    const { clientId, clientSecret } = (await register()).json as Record<string, string>;
    const texts = [(await staff.call('GET', `/clients/${clientId}`)).text, (await staff.call('GET', '/clients?limit=100')).text];
    for (const text of texts) expect(text).not.toContain(clientSecret);
  });

  it.each([
    ['of 3 characters', () => word().slice(0, 3)],
    ['of 64 characters', () => word() + WIDE.repeat(48)],
    ['of any script', () => `Магазин 商店 ${word()}`],
  ])('name may be %s', async (_, name) => {
    expect((await register({ name: name() })).status).toBe(201);
  });

  it.each([
    ...NOT_STRINGS,
    ...LONE_SURROGATES,
    ...DECEIVING_TEXTS,
    ['missing', undefined],
    ['empty', ''],
    ['2 characters', 'ab'],
    ['65 characters', 'x'.repeat(65)],
    ['blank', '     '],
    ['of two scripts in one word', 'Sh\u043Ep'],
  ])('name may not be %s', async (_, name) => {
    expectError(await register({ name }), 400, 'invalid_request', 'name');
  });

  it('name is unique: name_taken', async () => {
    const name = `Shop ${word()}`;
    expect((await register({ name })).status).toBe(201);
    expectError(await register({ name }), 409, 'name_taken');
  });

  it.each([
    ['a small L for a capital I', 'Iris', 'lris'],
    ['a digit for a letter', 'Iris', '1ris'],
    ['Cyrillic letters for Latin ones', 'Coco', '\u0421\u043E\u0441\u043E'],
    ['a character that does not show', 'Iris', 'Ir\u034Fis'],
  ])('name may not look like that of another client, with %s: name_taken', async (_, name, alike) => {
    const rest = word();
    expect((await register({ name: `${name} ${rest}` })).status).toBe(201);
    expectError(await register({ name: `${alike} ${rest}` }), 409, 'name_taken', 'looks like');
  });

  it('of twenty registrations of one name at once, one succeeds', async () => {
    const name = `Shop ${word()}`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({ name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
  });

  it.each([
    'https://shop.example/cb',
    'https://shop.example:8443/cb?x=y',
    'http://localhost/cb',
    'http://localhost:3001/cb',
    'http://127.0.0.1:3001/cb',
    'http://[::1]:3001/cb',
  ])('redirect_uris may hold %s', async (uri) => {
    expect((await register({ redirect_uris: [uri] })).status).toBe(201);
  });

  it.each([
    'http://shop.example/cb',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '/callback',
    'shop.example/cb',
    '',
    'https://',
    'https://shop.example/cb#fragment',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'https://user:pw@shop.example/',
    `https://shop.example/${'x'.repeat(2000)}`,
    'https://shop.example/a b',
    'https://shop.example/\n',
    'app:callback',
  ])('redirect_uris may not hold %p', async (uri) => {
    expectError(await register({ redirect_uris: [uri] }), 400, 'invalid_request', 'redirect_uris');
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['a string', 'https://shop.example/'],
    ['an object', {}],
    ['numbers', [1]],
    ['nested', [['https://shop.example/']]],
  ])('redirect_uris may not be %s', async (_, value) => {
    expectError(await register({ redirect_uris: value }), 400, 'invalid_request', 'redirect_uris');
  });

  it.each(['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'])(
    'allowed_attributes may hold %s',
    async (attribute) => {
      expect((await register({ allowed_attributes: [attribute] })).status).toBe(201);
    },
  );

  it.each(['nickname', 'Name', 'date_of_birth', '', '*', '__proto__', 'constructor'])('allowed_attributes may not hold %p', async (attribute) => {
    expectError(await register({ allowed_attributes: [attribute] }), 400, 'invalid_request', 'allowed_attributes');
  });

  it.each(['ageOver1', 'ageOver18', 'ageOver120', 'ageOver*', 'countryIsEE'])('allowed_predicates may hold %s', async (predicate) => {
    expect((await register({ allowed_predicates: [predicate] })).status).toBe(201);
  });

  it.each([
    'ageOver0',
    'ageOver121',
    'ageOver018',
    'ageOver',
    'ageUnder18',
    'countryIs',
    'countryIsEST',
    'countryIsee',
    'countryIsZZ',
    '*',
    '',
    'constructor',
  ])('allowed_predicates may not hold %p', async (predicate) => {
    expectError(await register({ allowed_predicates: [predicate] }), 400, 'invalid_request', 'allowed_predicates');
  });

  it('dynamic_qr may be true or false, and is false if it is absent', async () => {
    for (const dynamicQr of [true, false, undefined]) {
      const { clientId } = (await register({ dynamic_qr: dynamicQr })).json as Record<string, string>;
      expect(expectOk(await staff.call('GET', `/clients/${clientId}`))['dynamicQr']).toBe(dynamicQr ?? false);
    }
    expectError(await register({ dynamic_qr: 'true' }), 400, 'invalid_request', 'dynamic_qr');
  });

  it.each(['client_id', 'client_secret', 'redirectUris', '__proto__'])('an unknown field is refused by its name: %s', async (field) => {
    const body = JSON.stringify(terms()).replace('{', `{"${field}":"x",`);
    expectError(
      await service.send({ method: 'POST', path: '/admin/v1/clients', raw: body, headers: { authorization: `Bearer ${service.adminToken}` } }),
      400,
      'invalid_request',
      field,
    );
  });

  it.each(NOT_OBJECTS)('a malformed body, %s, is invalid_request', async (_, raw) => {
    expectError(
      await service.send({ method: 'POST', path: '/admin/v1/clients', raw, headers: { authorization: `Bearer ${service.adminToken}` } }),
      400,
      'invalid_request',
    );
  });

  it.each(OTHER_TYPES)('a body of type %p is refused', async (type) => {
    const answer = await service.send({
      method: 'POST',
      path: '/admin/v1/clients',
      raw: JSON.stringify(terms()),
      headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': type },
    });
    expectError(answer, 415, 'invalid_request');
  });
});
