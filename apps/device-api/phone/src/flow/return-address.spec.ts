import { returnAddress } from './return-address.js';

describe('the return address', () => {
  it.each(['https://rp.example/wait?x=1#y', 'http://localhost:3001/', 'http://127.0.0.1/', 'http://[::1]:8080/'])('may be %s', (url) => {
    expect(returnAddress(url)).toBe(url);
  });

  it.each([
    undefined,
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://rp.example/',
    'http://localhost.evil.example/',
    'https://user@rp.example/',
    'https://:pw@rp.example/',
    '//rp.example/',
    'intent://x',
  ])('never leads to %s', (url) => {
    expect(returnAddress(url)).toBeUndefined();
  });
});
