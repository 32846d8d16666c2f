import { expect, it } from '@jest/globals';

import { newReturnToken, verifyReturnToken, withReturnToken } from './return-token.js';

it('goes to the phone in the returnUrl and comes back in the query', () => {
  const token = newReturnToken();
  const url = new URL(withReturnToken('https://rp.example/return?lang=et#top', token));
  expect([url.origin, url.pathname, url.searchParams.get('lang'), url.hash]).toEqual(['https://rp.example', '/return', 'et', '#top']);
  expect(verifyReturnToken(token, url.searchParams)).toBe(true);
  expect(verifyReturnToken(token, { return_token: token })).toBe(true);
});

it.each([
  ['none', {}],
  ['another one', { return_token: 'b' }],
  ['two', new URLSearchParams('return_token=a&return_token=a')],
  ['no text', { return_token: { length: 1 } }],
  ['null', { return_token: null }],
])('refuses %s', (_, query) => {
  expect(verifyReturnToken('a', query)).toBe(false);
});

it('does not compare with an expected token that was lost', () => {
  expect(() => verifyReturnToken('', {})).toThrow(TypeError);
});
