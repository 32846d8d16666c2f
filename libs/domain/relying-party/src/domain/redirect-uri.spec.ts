import { redirectUriFault } from './redirect-uri.js';

describe('a redirect URI', () => {
  it.each([
    'https://acme.example',
    'https://acme.example/callback?tenant=1&x=%20',
    'https://acme.example:8443/callback',
    'http://localhost:3001/callback',
    'http://127.0.0.1/callback',
    'http://127.1.2.3:80/',
    'http://[::1]:3001/callback',
    `https://acme.example/${'x'.repeat(1979)}`,
  ])('may be %s', (uri) => {
    expect(redirectUriFault(uri)).toBeUndefined();
  });

  it.each([
    ['http://acme.example/', 'must be https, or http on loopback'],
    ['http://localhost.evil.example/', 'must be https, or http on loopback'],
    ['http://127.0.0.1.evil.example/', 'must be https, or http on loopback'],
    ['http://169.254.169.254/', 'must be https, or http on loopback'],
    ['https://user:pass@acme.example/', 'must hold no user info'],
    ['https://@acme.example/', 'must hold no user info'],
    ['http://user@localhost/', 'must hold no user info'],
    ['app+https://acme.example/', 'must be an absolute https URI'],
    ['https://*.acme.example/callback', 'must name one host: an asterisk stands for no others'],
    ['https://*/', 'must name one host: an asterisk stands for no others'],
    ['https://%2a.acme.example/', 'must name one host: an asterisk stands for no others'],
    ['https://acme.example/#part', 'must hold no fragment'],
    ['https://acme.example/#', 'must hold no fragment'],
    ['javascript:alert(1)', 'must be an absolute https URI'],
    ['//acme.example/', 'must be an absolute https URI'],
    ['/callback', 'must be an absolute https URI'],
    ['https:acme.example', 'must be an absolute https URI'],
    ['https:///acme.example', 'must be an absolute https URI'],
    ['HTTPS://acme.example', 'must be an absolute https URI'],
    ['https://acme.example:99999/', 'must be an absolute https URI'],
    ['app://callback', 'must be an absolute https URI'],
    ['', 'must be an absolute https URI'],
    ['https:\\\\acme.example', 'must hold no white space, control character or backslash'],
    [' https://acme.example', 'must hold no white space, control character or backslash'],
    ['https://acme.exa\tmple/', 'must hold no white space, control character or backslash'],
    ['https://acme.example/\u0000', 'must hold no white space, control character or backslash'],
    ['https://acme.example/\uD800', 'must hold no white space, control character or backslash'],
    [`https://acme.example/${'x'.repeat(1980)}`, 'must have at most 2000 characters'],
  ])('may not be %j', (uri, fault) => {
    expect(redirectUriFault(uri)).toBe(fault);
  });

  it.each([
    'https://acme.example/callback?tenant=1&x=%20&State=a&codes=b',
    'https://acme.example/%D0%B2%D1%85%D0%BE%D0%B4',
    'https://xn--bcher-kva.example/',
    'http://[::1]:3001/callback',
    "https://acme.example/a(b)*c,d;e=f!'$@:~",
    'https://acme.example/callback/state=1?next=state',
  ])('may be %s', (uri) => {
    expect(redirectUriFault(uri)).toBeUndefined();
  });

  it.each([
    'https://rp.example/вход',
    'https://bücher.example/',
    'https://rp.example/?name=ä',
    'https://rp.example/😀',
    'https://rp.example/%zz',
    'https://rp.example/100%',
    'https://rp.example/?a[]=1',
    'https://rp.example/"',
    'https://rp.example/<a>',
    'https://rp.example/{tenant}',
    'https://rp.example/a|b^c`',
  ])('may not be %s, which RFC 3986 does not allow', (uri) => {
    expect(redirectUriFault(uri)).toMatch(/^must hold only characters of RFC 3986: .*percent-encoded/);
  });

  it.each([
    ['state', '?state=mine'],
    ['state', '?state'],
    ['state', '?a=1&&state=&b'],
    ['state', '?st%61te=mine'],
    ['state', '?%73tate=mine&state=two'],
    ['code', '?code=mine'],
    ['error', '?error=none'],
    ['iss', '?iss=https://rp.example'],
    ['session_state', '?session_state=x'],
    ['session_state', '?session%5Fstate=x'],
  ])('may not hold the parameter %s: %s', (name, query) => {
    expect(redirectUriFault(`https://rp.example/cb${query}`)).toBe(`must not hold the parameter ${name}, which the callback has itself`);
  });
});
