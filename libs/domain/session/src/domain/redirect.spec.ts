import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

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

  it.each([
    ['https://rp.example/вход', 'https://rp.example/%D0%B2%D1%85%D0%BE%D0%B4?code=c&state=s'],
    ['https://rp.example/%20/ä?n=😀&a=%C3%A4', 'https://rp.example/%20/%C3%A4?n=%F0%9F%98%80&a=%C3%A4&code=c&state=s'],
    ['https://bücher.example:8443/a', 'https://xn--bcher-kva.example:8443/a?code=c&state=s'],
    ['http://bücher.localhost/a', 'http://xn--bcher-kva.localhost/a?code=c&state=s'],
    ['https://bücher.example?ä', 'https://xn--bcher-kva.example?%C3%A4&code=c&state=s'],
  ])('of %s, which a client of a former release has, is in ASCII', (uri, redirect) => {
    expect(redirectUrl(uri, { code: 'c', state: 's' })).toBe(redirect);
    expect(() => new ServerResponse(new IncomingMessage(new Socket())).setHeader('Location', redirectUrl(uri, {}))).not.toThrow();
  });

  it.each(['', 'a b+c', '&code=x#y?', '100%', 'ä😀', '"<>'])('carries the state %j unchanged', (state) =>
    expect(new URL(redirectUrl('https://rp.example/cb', { code: 'c', state })).searchParams.get('state')).toBe(state),
  );
});
