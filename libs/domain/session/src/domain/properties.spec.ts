import { describe, expect, it } from '@jest/globals';

import type { DomainError } from '#kernel';
import type { Client } from '#domain/relying-party';

import { parseProperties } from './properties.js';

const client = { allowedAttributes: ['name', 'email'], allowedPredicates: ['ageOver*', 'countryIsEE'] } as unknown as Client;

const encode = (text: string) => Buffer.from(text).toString('base64url');
const parse = (request: unknown) => parseProperties(encode(JSON.stringify(request)), client);
const refusal = (attempt: () => unknown): DomainError => {
  try {
    attempt();
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('not refused');
};

describe('properties', () => {
  it('are attributes and predicates by name', () => {
    expect(parse({ attributes: ['name'], predicates: ['ageOver18', 'countryIsEE'] })).toEqual({
      attributes: ['name'],
      predicates: ['ageOver18', 'countryIsEE'],
    });
    expect(parse({ predicates: ['ageOver120'] })).toEqual({ attributes: [], predicates: ['ageOver120'] });
  });

  it('may have exactly 4,096 bytes', () =>
    expect(parseProperties(encode('{"attributes":["name"]}'.padEnd(4096)), client).attributes).toEqual(['name']));

  it('may request exactly 20 names', () => {
    const predicates = Array.from({ length: 19 }, (_, i) => `ageOver${i + 1}`);
    expect(parse({ attributes: ['name'], predicates })).toEqual({ attributes: ['name'], predicates });
  });

  it.each(['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'])(
    'may request the attribute %s',
    (attribute) => {
      const allowed = { allowedAttributes: [attribute], allowedPredicates: [] } as unknown as Client;
      expect(parseProperties(encode(JSON.stringify({ attributes: [attribute] })), allowed).attributes).toEqual([attribute]);
    },
  );

  it.each([
    ['not base64url', '***', 'is not base64url without padding'],
    ['padded', 'e30=', 'is not base64url without padding'],
    ['not JSON', encode('{'), 'does not hold a JSON object in UTF-8'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64url'), 'does not hold a JSON object in UTF-8'],
    [
      'not UTF-8 inside of a name',
      Buffer.from('{"attributes":["name\xff"]}', 'latin1').toString('base64url'),
      'does not hold a JSON object in UTF-8',
    ],
    ['an array', encode('[]'), 'does not hold a JSON object in UTF-8'],
    ['null', encode('null'), 'does not hold a JSON object in UTF-8'],
    ['of 4,097 bytes', encode('{"attributes":["name"]}'.padEnd(4097)), 'is longer than 4096 bytes'],
    ['empty', encode('{}'), 'asks for nothing'],
    ['asking for nothing', encode('{"attributes":[],"predicates":[]}'), 'asks for nothing'],
    ['with a number', encode('{"attributes":[1]}'), 'needs `attributes` as a list of strings'],
    ['with a list in place of a name', encode('{"predicates":[["ageOver18"]]}'), 'needs `predicates` as a list of strings'],
    ['with the same member twice', encode('{"attributes":["name"],"attributes":["email"]}'), 'names a member twice'],
    ['with a byte order mark', encode('\ufeff{"attributes":["name"]}'), 'does not hold a JSON object in UTF-8'],
    ['with an unknown member', encode('{"attributes":["name"],"scope":"x"}'), 'has a member other than `attributes` and `predicates`'],
    ['with an unknown attribute', encode('{"attributes":["toString"]}'), 'names an attribute or predicate that does not exist'],
    ['with ageOver0', encode('{"predicates":["ageOver0"]}'), 'names an attribute or predicate that does not exist'],
    ['with ageOver121', encode('{"predicates":["ageOver121"]}'), 'names an attribute or predicate that does not exist'],
    ['with an unknown country', encode('{"predicates":["countryIsXX"]}'), 'names an attribute or predicate that does not exist'],
    ['with a duplicate', encode('{"attributes":["name","name"]}'), 'names something twice'],
    ['with 21 names', encode(JSON.stringify({ predicates: Array.from({ length: 21 }, (_, i) => `ageOver${i + 1}`) })), 'asks for more than 20 names'],
  ])('that are %s are refused', (_, properties, problem) => {
    const { code, detail } = refusal(() => parseProperties(properties, client));
    expect(code).toBe('invalid_request');
    expect(detail).toBe(`\`properties\` ${problem}`);
  });

  it.each([{ attributes: ['personalCode'] }, { predicates: ['countryIsFI'] }])('outside the allow-list are out of scope: %j', (request) =>
    expect(refusal(() => parse(request))).toMatchObject({ code: 'invalid_scope', reason: 'outside the allow-list' }),
  );
});
