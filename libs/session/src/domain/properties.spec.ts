import { describe, expect, it } from '@jest/globals';

import type { DomainError } from '#kernel';
import type { Client } from '#relying-party';

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
    ['not base64url', '***'],
    ['padded', 'e30='],
    ['not JSON', encode('{')],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64url')],
    ['an array', encode('[]')],
    ['null', encode('null')],
    ['of 4,097 bytes', encode('{"attributes":["name"]}'.padEnd(4097))],
    ['empty', encode('{}')],
    ['asking for nothing', encode('{"attributes":[],"predicates":[]}')],
    ['with a number', encode('{"attributes":[1]}')],
    ['with a list in place of a name', encode('{"predicates":[["ageOver18"]]}')],
    ['with the same member twice', encode('{"attributes":["name"],"attributes":["email"]}')],
    ['with a byte order mark', encode('\ufeff{"attributes":["name"]}')],
    ['with an unknown member', encode('{"attributes":["name"],"scope":"x"}')],
    ['with an unknown attribute', encode('{"attributes":["toString"]}')],
    ['with ageOver0', encode('{"predicates":["ageOver0"]}')],
    ['with ageOver121', encode('{"predicates":["ageOver121"]}')],
    ['with an unknown country', encode('{"predicates":["countryIsXX"]}')],
    ['with a duplicate', encode('{"attributes":["name","name"]}')],
    ['with 21 names', encode(JSON.stringify({ predicates: Array.from({ length: 21 }, (_, i) => `ageOver${i + 1}`) }))],
  ])('that are %s are refused', (_, properties) => {
    const { code, detail } = refusal(() => parseProperties(properties, client));
    expect(code).toBe('invalid_request');
    expect(detail).toMatch(/^`properties` /);
  });

  it.each([{ attributes: ['personalCode'] }, { predicates: ['countryIsFI'] }])('outside the allow-list are out of scope: %j', (request) =>
    expect(refusal(() => parse(request)).code).toBe('invalid_scope'),
  );
});
