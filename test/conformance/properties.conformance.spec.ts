import { beforeAll, describe, expect, it } from '@jest/globals';

import { expectError, expectOk, type Person, type Phone, RelyingParty, type Service, sharedService, Staff } from '../support/index.js';

const ATTRIBUTES = ['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'];

let service: Service;
let staff: Staff;
let shop: RelyingParty;
let person: Person;
let phone: Phone;

beforeAll(async () => {
  service = await sharedService();
  staff = new Staff(service);
  shop = await RelyingParty.register(service, {
    allowed_attributes: ATTRIBUTES,
    allowed_predicates: ['ageOver*', 'countryIsEE', 'countryIsLV'],
  });
  person = await staff.registerPerson({ date_of_birth: '1990-05-17', country: 'EE' });
  phone = await staff.phoneOf(person);
});

const encode = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const answerTo = async (request: unknown, of = phone, client = shop): Promise<Record<string, unknown>> => {
  const { code, verifier } = await client.completed(of, { properties: encode(request) });
  return expectOk(await client.token(code, verifier));
};

describe('the token response', () => {
  it('carries attributes: a map of attribute name to value', async () => {
    const { attributes } = await answerTo({ attributes: ATTRIBUTES });
    expect(attributes).toEqual({
      name: `${person.given_name} ${person.family_name}`,
      givenName: person.given_name,
      familyName: person.family_name,
      personalCode: person.personal_code,
      dateOfBirth: '1990-05-17',
      country: 'EE',
      email: person.email,
      phoneNumber: person.phone_number,
    });
  });

  it('carries what was asked and nothing more', async () => {
    const answer = await answerTo({ attributes: ['country'], predicates: ['ageOver18'] });
    expect(answer).toEqual({ subjectId: expect.any(String), attributes: { country: 'EE' }, predicates: { ageOver18: true } });
  });

  it('a requested attribute with no value is omitted from attributes', async () => {
    const bare = await staff.phoneOf(await staff.registerPerson({ email: undefined, phone_number: undefined }));
    expect((await answerTo({ attributes: ['email', 'phoneNumber', 'country'] }, bare))['attributes']).toEqual({ country: 'EE' });
  });

  it('predicates holds exactly one boolean per requested predicate, by the name of the request', async () => {
    const { predicates } = await answerTo({ predicates: ['ageOver1', 'ageOver18', 'ageOver120', 'countryIsEE', 'countryIsLV'] });
    expect(predicates).toEqual({ ageOver1: true, ageOver18: true, ageOver120: false, countryIsEE: true, countryIsLV: false });
  });

  it('both are absent when no properties were requested', async () => {
    const { code, verifier } = await shop.completed(phone);
    expect(Object.keys(expectOk(await shop.token(code, verifier)))).toEqual(['subjectId']);
  });

  it('age counts by calendar date', async () => {
    const born = (days: number): string => {
      const date = new Date(Date.now() + days * 86_400_000);
      date.setUTCFullYear(date.getUTCFullYear() - 18);
      return date.toISOString().slice(0, 10);
    };
    const isOver = async (date_of_birth: string) =>
      (await answerTo({ predicates: ['ageOver18'] }, await staff.phoneOf(await staff.registerPerson({ date_of_birth }))))['predicates'];
    expect(await isOver(born(-3))).toEqual({ ageOver18: true });
    expect(await isOver(born(3))).toEqual({ ageOver18: false });
  });

  it('a failed exchange shows nothing', async () => {
    const { code } = await shop.completed(phone, { properties: encode({ attributes: ['personalCode'] }) });
    const answer = await shop.token(code, 'a'.repeat(43));
    expectError(answer, 400, 'invalid_grant');
    expect(answer.text).not.toContain(person.personal_code);
  });
});

describe('unsound properties are invalid_request', () => {
  it.each([
    ['an array', []],
    ['null', 'null'],
    ['a string', '"name"'],
    ['a number', '1'],
    ['empty', {}],
    ['empty lists', { attributes: [], predicates: [] }],
    ['an unknown member', { attributes: ['name'], purpose: 'x' }],
    ['__proto__', '{"attributes":["name"],"__proto__":{}}'],
    ['an unknown attribute', { attributes: ['shoeSize'] }],
    ['an attribute in another case', { attributes: ['Name'] }],
    ['an attribute of Object', { attributes: ['constructor'] }],
    ['an unknown predicate', { predicates: ['isNice'] }],
    ['ageOver0', { predicates: ['ageOver0'] }],
    ['ageOver121', { predicates: ['ageOver121'] }],
    ['ageOver018', { predicates: ['ageOver018'] }],
    ['ageOver*', { predicates: ['ageOver*'] }],
    ['ageOver1.5', { predicates: ['ageOver1.5'] }],
    ['no such country', { predicates: ['countryIsZZ'] }],
    ['a country in lower case', { predicates: ['countryIsee'] }],
    ['a duplicate attribute', { attributes: ['name', 'name'] }],
    ['a duplicate predicate', { predicates: ['ageOver18', 'ageOver18'] }],
    ['a duplicate member', '{"attributes":["name"],"attributes":["email"]}'],
    ['more than 20 names', { predicates: Array.from({ length: 21 }, (_, i) => `ageOver${i + 1}`) }],
    ['a string for the list', { attributes: 'name' }],
    ['numbers', { attributes: [1] }],
    ['null for the list', { attributes: null, predicates: ['ageOver18'] }],
    ['an attribute as a predicate', { predicates: ['name'] }],
    ['more than 4 KiB', `{"attributes":["name"]${' '.repeat(4096)}}`],
    ['two objects', '{"attributes":["name"]}{}'],
    ['a byte order mark', '\ufeff{"attributes":["name"]}'],
    ['10,000 brackets', '['.repeat(3000)],
  ])('%s', async (_, value) => {
    expectError(await shop.post({ properties: encode(value) }), 400, 'invalid_request', 'properties');
  });

  it('twenty names are sound', async () => {
    expectOk(await shop.post({ properties: encode({ predicates: Array.from({ length: 20 }, (_, i) => `ageOver${i + 1}`) }) }));
  });

  it('come before invalid_scope', async () => {
    expectError(
      await shop.post({ properties: encode({ attributes: ['name', 'shoeSize'], predicates: ['countryIsFI'] }) }),
      400,
      'invalid_request',
      'properties',
    );
  });
});

describe('invalid_scope', () => {
  it.each([
    ['an attribute outside', { attributes: ['email'] }],
    ['a predicate outside', { predicates: ['ageOver21'] }],
    ['another country', { predicates: ['countryIsLV'] }],
    ['one of several outside', { attributes: ['name', 'email'], predicates: ['ageOver18'] }],
  ])("properties asks for an attribute or predicate outside the client's allow-list: %s", async (_, request) => {
    const narrow = await RelyingParty.register(service, { allowed_attributes: ['name'], allowed_predicates: ['ageOver18', 'countryIsEE'] });
    expectError(await narrow.post({ properties: encode(request) }), 400, 'invalid_scope');
    expectOk(await narrow.post({ properties: encode({ attributes: ['name'], predicates: ['ageOver18', 'countryIsEE'] }) }));
  });

  it('ageOver* on the allow-list allows every age', async () => {
    expectOk(await shop.post({ properties: encode({ predicates: ['ageOver1', 'ageOver65', 'ageOver120'] }) }));
  });

  it('is the answer of a client that may ask nothing', async () => {
    const none = await RelyingParty.register(service);
    expectError(await none.post({ properties: encode({ predicates: ['ageOver18'] }) }), 400, 'invalid_scope');
  });
});
