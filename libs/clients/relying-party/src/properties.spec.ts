import { expect, it } from '@jest/globals';

import { encodeProperties } from './properties.js';

const decoded = (properties: string | undefined): unknown => JSON.parse(Buffer.from(properties ?? '', 'base64url').toString('utf8'));

it('encodes the requested properties as base64url without padding', () => {
  const properties = encodeProperties({ attributes: ['name'], predicates: ['ageOver18'] });
  expect(properties).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(decoded(properties)).toEqual({ attributes: ['name'], predicates: ['ageOver18'] });
});

it('encodes letters beyond ASCII as UTF-8', () => {
  expect(decoded(encodeProperties({ attributes: ['größe'] }))).toEqual({ attributes: ['größe'] });
});

it('leaves out an empty list', () => {
  expect(decoded(encodeProperties({ attributes: ['name'] }))).toEqual({ attributes: ['name'] });
  expect(decoded(encodeProperties({ attributes: [], predicates: ['ageOver18'] }))).toEqual({ predicates: ['ageOver18'] });
});

it('encodes no field when nothing is requested', () => {
  expect(encodeProperties({ attributes: [], predicates: [] })).toBeUndefined();
});
