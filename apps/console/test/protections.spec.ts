import { describe, expect, it } from '@jest/globals';

import { CONSENT_TERMS, hasProtection, PROTECTIONS as OF_DOMAIN } from '#domain/relying-party';

import { isOn, OTHER_TERMS, PROTECTIONS } from '../page/src/protections.js';

describe('a change that waits for consent', () => {
  it('is shown with every term that may wait', () => {
    expect([...OTHER_TERMS, ...PROTECTIONS.map(({ member }) => member)].toSorted()).toEqual(CONSENT_TERMS.toSorted());
  });
});

describe('the protections on the page', () => {
  it('are those of the domain', () => {
    expect(PROTECTIONS.map(({ member }) => member).toSorted()).toEqual(OF_DOMAIN.toSorted());
  });

  it.each(OF_DOMAIN)('show whether a client has %s, as the domain judges it', (term) => {
    const shown = PROTECTIONS.find(({ member }) => member === term)!;
    const values = term === 'tokenEndpointAuthMethod' ? ['private_key_jwt', '', undefined] : [true, false, undefined];
    const clients = values.map((value) => (value === undefined ? {} : { [term]: value }));
    expect(clients.map((client) => isOn(client, shown))).toEqual(clients.map((client) => hasProtection(client as never, term)));
  });
});
