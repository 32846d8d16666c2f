import { describe, expect, it } from '@jest/globals';

import { redirectUrl } from './redirect.js';

describe('the redirect', () => {
  it.each([
    ['https://rp.example/cb', 'https://rp.example/cb?code=c&state=s'],
    ['https://rp.example/cb?', 'https://rp.example/cb?code=c&state=s'],
    ['https://rp.example/cb?a=1', 'https://rp.example/cb?a=1&code=c&state=s'],
    ['https://rp.example/cb?a=1&', 'https://rp.example/cb?a=1&code=c&state=s'],
  ])('of %s keeps its query', (uri, redirect) => expect(redirectUrl(uri, 'c', 's')).toBe(redirect));

  it('has no state when none was given', () => expect(redirectUrl('https://rp.example/cb', 'c', undefined)).toBe('https://rp.example/cb?code=c'));

  it.each(['', 'a b+c', '&code=x#y?', '100%', 'ä😀', '"<>'])('carries the state %j unchanged', (state) =>
    expect(new URL(redirectUrl('https://rp.example/cb', 'c', state)).searchParams.get('state')).toBe(state));
});
