import { describe, expect, it } from '@jest/globals';

import type { Client } from '#domain/relying-party';
import type { ClientId } from '#kernel';

import { claimsFrom, granted } from './claims.js';

const client = (allowedAttributes: readonly string[], allowedPredicates: readonly string[] = []): Client => ({
  clientId: 'client' as ClientId,
  name: 'Shop',
  redirectUris: [],
  allowedAttributes,
  allowedPredicates,
  dynamicQr: false,
  enabled: true,
});
const everything = client(
  ['name', 'givenName', 'familyName', 'personalCode', 'dateOfBirth', 'country', 'email', 'phoneNumber'],
  ['ageOver*', 'countryIsEE'],
);

describe('the properties that a client gets', () => {
  it.each([
    ['openid', undefined],
    ['openid profile', { attributes: ['name', 'givenName', 'familyName', 'dateOfBirth'], predicates: [] }],
    ['openid email phone', { attributes: ['email', 'phoneNumber'], predicates: [] }],
    ['openid personal_code country', { attributes: ['personalCode', 'country'], predicates: [] }],
    ['openid age_over_18 country_is_ee', { attributes: [], predicates: ['ageOver18', 'countryIsEE'] }],
  ])('follow from the scope %s', (scope, requested) => {
    expect(granted(scope.split(' '), [], everything)).toEqual({ scope, ...(requested && { requested }) });
  });

  it('are none by the scope evidence, which asks for the proof of the login', () => {
    expect(granted(['openid', 'evidence'], [], everything)).toEqual({ scope: 'openid evidence', evidence: true });
  });

  it.each([
    ['that does not exist', 'offline_access'],
    ['that is the claim of another scope', 'given_name'],
    ['of an age that nobody has', 'age_over_121'],
    ['of no country', 'country_is_xx'],
    ['of a member of every object', 'constructor'],
  ])('leave out a scope %s', (_, scope) => {
    expect(granted(['openid', scope], [], everything)).toEqual({ scope: 'openid' });
  });

  it('keep a scope of which the client may have a part, and that part alone', () => {
    expect(granted(['openid', 'profile', 'email'], [], client(['name']))).toEqual({
      scope: 'openid profile',
      requested: { attributes: ['name'], predicates: [] },
    });
  });

  it('hold what the parameter claims names, each once, and nothing beyond the allow-list', () => {
    const claims = ['name', 'email', 'name', 'phone_number', 'age_over_21', 'sub', '__proto__'];
    expect(granted(['openid', 'email'], claims, client(['name', 'email'], ['ageOver*']))).toEqual({
      scope: 'openid email',
      requested: { attributes: ['email', 'name'], predicates: ['ageOver21'] },
    });
  });

  it('are at most twenty', () => {
    const claims = Array.from({ length: 40 }, (_, years) => `age_over_${years + 1}`);
    expect(granted(['openid'], claims, everything).requested?.predicates).toHaveLength(20);
  });
});

describe('the claims of an answer', () => {
  it('have the names by which the client asks for them', () => {
    const attributes = { name: 'Mari Maasikas', givenName: 'Mari', dateOfBirth: '1971-01-01', personalCode: '47101010033', country: 'EE' };
    expect(claimsFrom({ attributes, predicates: { ageOver18: true, countryIsEE: false } })).toEqual({
      name: 'Mari Maasikas',
      given_name: 'Mari',
      birthdate: '1971-01-01',
      personal_code: '47101010033',
      country: 'EE',
      age_over_18: true,
      country_is_ee: false,
    });
    expect(claimsFrom({})).toEqual({});
  });
});
