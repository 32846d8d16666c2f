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

  // Each is read differently by curl, by Python's urllib or by the URL standard, or is no address by RFC 3986.
  it.each([
    String.raw`https://rp.example\@evil.example/`,
    String.raw`https:\\rp.example/`,
    String.raw`https:/\rp.example/`,
    String.raw`https://rp.example/\evil.example`,
    'https:rp.example/',
    'https:/rp.example/',
    'https:///rp.example/',
    'https://rp.example',
    'https://rp.example?@evil.example/',
    'https://rp.example#@evil.example/',
    'https://@rp.example/',
    'https://:@rp.example/',
    'https://rp.example:/',
    'https://rp.example:443/',
    'https://rp.example:0443/',
    'https://RP.example/',
    'HTTPS://rp.example/',
    'https://rp%2Eexample/',
    'https://%72p.example/',
    'https://rp。example/',
    'https://ｒｐ.example/',
    'https://rp.ex\u00ADample/',
    'https://rp.exam\tple/',
    'https://rp.example/\n',
    ' https://rp.example/',
    'https://rp.example/ ',
    'https://rp.example/a b',
    'https://rp.example/\u0000',
    'https://rp.example/a/../b',
    'https://rp.example/%2e%2e/b',
    'https://rp.example/./b',
    'https://rp.example/ожидание',
    'http://127.1:3001/',
    'http://2130706433:3001/',
    'http://0x7f.1:3001/',
    'http://[0:0:0:0:0:0:0:1]:3001/',
    'https:///',
    'https://',
  ])('may not be %j, which parsers read differently', (url) => {
    const hosts = ['http://127.0.0.1:3001/', 'http://[::1]:3001/'];
    expect(allowedReturnUrl(url, [...allowed, ...hosts])).toBeUndefined();
  });

  it.each([
    'https://rp.example/a@b',
    'https://rp.example/?next=https://evil.example/',
    'https://rp.example/#@evil.example',
    'https://rp.example/%C3%A4',
  ])('may be %s, which all read alike', (url) => expect(allowedReturnUrl(url, allowed)).toBe(url));
});
