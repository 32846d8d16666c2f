import { InvalidRequest } from '#kernel';

import type { ClientTerms } from './client.js';
import { checkTerms } from './client-terms.js';

const terms: ClientTerms = { name: 'Acme', redirectUris: [], allowedAttributes: [], allowedPredicates: [], dynamicQr: false };
const check = (changes: Partial<ClientTerms>) => () => checkTerms({ ...terms, ...changes });

describe('a registration', () => {
  it.each(['Abc', 'x'.repeat(64), '😀😀😀', 'AS Põhja Pank (Läti)', 'مصرف', 'کتاب\u200cخانه', 'ශ්\u200dරී ලංකා'])('accepts the name %j', (name) => {
    expect(check({ name })).not.toThrow();
  });

  it.each([
    ['ab', '`name` must have 3 to 64 characters.'],
    ['x'.repeat(65), '`name` must have 3 to 64 characters.'],
    ['😀😀', '`name` must have 3 to 64 characters.'],
    ['Ac\nme', '`name` must hold no control or direction-override character.'],
    ['Acme\u202Egnp', '`name` must hold no control or direction-override character.'],
    ['Acme\uD800', '`name` must hold no control or direction-override character.'],
    ['Ac\u200Bme', '`name` must hold no invisible format character.'],
    ['Ac\u200Cme', '`name` must hold no invisible format character.'],
    ['کتاب\u200Dخانه', '`name` must hold no invisible format character.'],
    ['Ac\u00ADme', '`name` must hold no invisible format character.'],
    ['Acme\u200E', '`name` must hold no invisible format character.'],
    ['Ac\u{E0061}me', '`name` must hold no invisible format character.'],
    [' Acme', '`name` must not begin or end with white space.'],
    ['     ', '`name` must not begin or end with white space.'],
  ])('refuses the name %j', (name, detail) => {
    expect(check({ name })).toThrow(new InvalidRequest(detail));
  });

  it('refuses a name with two scripts in a word', () => {
    const detail = '`name` must not mix scripts within a word, such as Latin and Cyrillic letters.';
    expect(check({ name: 'PayР\u0430l' })).toThrow(new InvalidRequest(detail));
    expect(check({ name: 'Банк SEB' })).not.toThrow();
  });

  it.each(['\u3164\u3164\u3164', '\u034F\u034F\u034F', '\uFE0F\u2800\uFE0F'])('refuses the name %j, whose characters are all invisible', (name) => {
    expect(check({ name })).toThrow(new InvalidRequest('`name` must hold a character that shows.'));
  });

  it.each(['---', '...', '+++', '"-"', '\u2014\u2014\u2014', '$$$', '~ ~ ~', '--\u3164'])('refuses the name %j, which names nothing', (name) => {
    expect(check({ name })).toThrow(new InvalidRequest('`name` must hold a letter, a figure or a picture.'));
  });

  it('takes joiners inside words of joining scripts for spelling, in every place where they change what shows, and nowhere else', () => {
    for (const name of ['کتاب\u200cخانه', 'می\u200cخواهم', 'ශ්\u200dරී ලංකා', 'क्\u200dष राज', 'क्\u200cष राज']) expect(check({ name })).not.toThrow();
    for (const name of ['\u200cکتاب', 'کتاب\u200c', 'کتاب\u200c خانه', 'کتاب\u200c\u200cخانه', 'क\u200dष राज', 'Sw\u200cedbank', '商\u200d店街'])
      expect(check({ name })).toThrow(new InvalidRequest('`name` must hold no invisible format character.'));
  });

  it('refuses a redirect URI whose callback would hold state twice', () => {
    expect(check({ redirectUris: ['https://b.example/', 'https://a.example/?state=mine'] })).toThrow(
      new InvalidRequest('`redirect_uris[1]` must not hold the parameter state, which the callback has itself.'),
    );
  });

  it('names the faulty entry of a list', () => {
    expect(check({ redirectUris: ['https://a.example', 'http://a.example'] })).toThrow(
      new InvalidRequest('`redirect_uris[1]` must be https, or http on loopback.'),
    );
    expect(check({ allowedAttributes: ['name', 'shoeSize'] })).toThrow(new InvalidRequest('`allowed_attributes[1]` is no attribute name.'));
    expect(check({ allowedPredicates: ['ageOver0'] })).toThrow(/^`allowed_predicates\[0\]` must be/);
  });

  describe('of a client that signs its requests', () => {
    const jwks = { keys: [{ kty: 'EC', kid: 'first', crv: 'P-256', x: 'x', y: 'y' }] } as const;
    const strict = { requireSignedRequestObject: true, dpopBoundAccessTokens: true, idTokenSignedResponseAlg: 'ES256', jwks } as const;

    it('keeps to the FAPI 2.0 Security Profile', () => {
      expect(check(strict)).not.toThrow();
      expect(check({ ...strict, jwks: { keys: [] }, jwksUri: 'https://keys.example/' })).not.toThrow();
      expect(check({ ...strict, idTokenSignedResponseAlg: 'PS256', requirePkce: true, requirePushedAuthorizationRequests: true })).not.toThrow();
    });

    it.each<[string, Partial<ClientTerms>, string]>([
      ['no keys', { jwks: { keys: [] } }, 'the client needs keys: `jwks` or `jwks_uri`'],
      ['requests by the browser', { requirePushedAuthorizationRequests: false }, '`require_pushed_authorization_requests` cannot be off'],
      ['requests without a code challenge', { requirePkce: false }, '`require_pkce` cannot be off'],
      ['Bearer tokens', { dpopBoundAccessTokens: false }, '`dpop_bound_access_tokens` must be on'],
      ['RS256', { idTokenSignedResponseAlg: 'RS256' }, '`id_token_signed_response_alg` must be PS256 or ES256'],
    ])('refuses %s', (_, change, fault) => {
      expect(check({ ...strict, ...change })).toThrow(new InvalidRequest(`With \`require_signed_request_object\` ${fault}.`));
      expect(check({ ...strict, ...change, requireSignedRequestObject: false })).not.toThrow();
    });

    it('refuses the default algorithm of ID tokens, which is RS256', () => {
      const { idTokenSignedResponseAlg: _, ...rest } = strict;
      expect(check(rest)).toThrow(/PS256 or ES256/);
    });
  });

  it('refuses a client without keys that is to prove itself by them alone', () => {
    const jwks = { keys: [{ kty: 'EC', kid: 'first', crv: 'P-256', x: 'x', y: 'y' }] } as const;
    const terms = { tokenEndpointAuthMethod: 'private_key_jwt' } as const;
    const fault = new InvalidRequest('With `token_endpoint_auth_method` the client needs keys: `jwks` or `jwks_uri`.');
    expect(check(terms)).toThrow(fault);
    expect(check({ ...terms, jwks: { keys: [] } })).toThrow(fault);
    expect(check({ ...terms, jwks })).not.toThrow();
    expect(check({ ...terms, jwksUri: 'https://keys.example/' })).not.toThrow();
    expect(check({ tokenEndpointAuthMethod: '' })).not.toThrow();
  });

  it('refuses keys beside the address of keys', () => {
    const jwks = { keys: [{ kty: 'EC', kid: 'first', crv: 'P-256', x: 'x', y: 'y' }] } as const;
    expect(check({ jwks, jwksUri: 'https://keys.example/' })).toThrow(/^`jwks_uri` cannot stand beside keys/);
    expect(check({ jwks: { keys: [] }, jwksUri: 'https://keys.example/' })).not.toThrow();
    expect(check({ jwks, jwksUri: '' })).not.toThrow();
  });

  it('refuses a repeated entry and more than 100 entries', () => {
    expect(check({ allowedAttributes: ['name', 'name'] })).toThrow(new InvalidRequest('`allowed_attributes[1]` is there twice.'));
    const many = Array.from({ length: 101 }, (_, index) => `https://a.example/${index}`);
    expect(check({ redirectUris: many.slice(1) })).not.toThrow();
    expect(check({ redirectUris: many })).toThrow(new InvalidRequest('`redirect_uris` must have at most 100 entries.'));
  });
});
