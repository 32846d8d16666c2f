import { expect, it } from '@jest/globals';

import { encodeProperties } from './properties.js';

const decoded = (properties: string | undefined): unknown => JSON.parse(Buffer.from(properties ?? '', 'base64url').toString('utf8'));

it('is base64url, without padding, of what is asked', () => {
  const properties = encodeProperties({ attributes: ['name'], predicates: ['ageOver18'] });
  expect(properties).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(decoded(properties)).toEqual({ attributes: ['name'], predicates: ['ageOver18'] });
});

it('leaves out a list that asks nothing', () => {
  expect(decoded(encodeProperties({ attributes: ['name'] }))).toEqual({ attributes: ['name'] });
  expect(decoded(encodeProperties({ attributes: [], predicates: ['ageOver18'] }))).toEqual({ predicates: ['ageOver18'] });
});

it('is no field at all when nothing is asked', () => {
  expect(encodeProperties({ attributes: [], predicates: [] })).toBeUndefined();
});
