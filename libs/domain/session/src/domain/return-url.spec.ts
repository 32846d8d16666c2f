import { describe, expect, it } from '@jest/globals';

import { allowedReturnUrl } from './return-url.js';

const allowed = ['https://login.example/', 'https://rp.example/callback?x=1', 'http://localhost:3001/callback'];

describe('the return address of the app', () => {
  it.each(['https://login.example/#session', 'https://rp.example/wait?random=1', 'http://localhost:3001/'])('may be %s', (url) =>
    expect(allowedReturnUrl(url, allowed)).toBe(url),
  );

  // A client may have a redirect URI of any scheme; the app opens none of these.
  it.each(['http://rp.example/wait', 'http://localhost.evil.example/', 'ftp://localhost/', 'ws://127.0.0.1:3001/'])(
    'may not be %s, even if the client has a redirect URI there',
    (url) => expect(allowedReturnUrl(url, [...allowed, url])).toBeUndefined(),
  );

  it.each([
    undefined,
    '',
    'nonsense',
    'javascript:alert(1)',
    'https://evil.example/',
    'http://rp.example/wait',
    'https://rp.example:8443/',
    'https://rp.example.evil.example/',
    'https://user@rp.example/',
    'https://rp.example@evil.example/',
    'intent://rp.example/',
    'http://localhost:3002/',
    '//rp.example/',
  ])('may not be %s', (url) => expect(allowedReturnUrl(url, allowed)).toBeUndefined());
});
