import { describe, expect, it } from '@jest/globals';

import { redirectUrl } from './redirect.js';

describe('the redirect', () => {
  it.each([
    ['https://rp.example/cb', 'https://rp.example/cb?code=c&state=s'],
    ['https://rp.example/cb?', 'https://rp.example/cb?code=c&state=s'],
    ['https://rp.example/cb?a=1', 'https://rp.example/cb?a=1&code=c&state=s'],
    ['https://rp.example/cb?a=1&', 'https://rp.example/cb?a=1&code=c&state=s'],
  ])('of %s keeps its query', (uri, redirect) => expect(redirectUrl(uri, { code: 'c', state: 's' })).toBe(redirect));

  it('has no state when none was given', () => expect(redirectUrl('https://rp.example/cb', { code: 'c' })).toBe('https://rp.example/cb?code=c'));

  it('has no code when there is none', () => {
    expect(redirectUrl('https://rp.example/cb', { state: 's' })).toBe('https://rp.example/cb?state=s');
    expect(redirectUrl('https://rp.example/cb', {})).toBe('https://rp.example/cb');
  });

  it.each(['', 'a b+c', '&code=x#y?', '100%', 'ä😀', '"<>'])('carries the state %j unchanged', (state) =>
    expect(new URL(redirectUrl('https://rp.example/cb', { code: 'c', state })).searchParams.get('state')).toBe(state),
  );
});
