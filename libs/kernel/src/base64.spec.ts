import { fromBase64, fromBase64url } from './base64.js';

// RFC 4648 section 10.
const vectors = [
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg=='],
  ['fooba', 'Zm9vYmE='],
  ['foobar', 'Zm9vYmFy'],
] as const;

describe('fromBase64', () => {
  it.each(vectors)('reads %j', (text, encoded) => {
    expect(fromBase64(encoded)?.toString()).toBe(text);
  });

  it.each(['Zg', 'Zg=', 'Zg===', 'Zh==', 'Zm9v\n', ' Zm9v', 'Zm 9v', 'Zm9v=', '-_-_', 'Z', '====', 'Zm9v🗝'])('refuses %j', (text) => {
    expect(fromBase64(text)).toBeUndefined();
  });
});

describe('fromBase64url', () => {
  it.each(vectors)('reads %j', (text, encoded) => {
    expect(fromBase64url(encoded.replaceAll('=', ''))?.toString()).toBe(text);
  });

  it('reads its own alphabet', () => {
    expect(fromBase64url('-_-_')).toEqual(Buffer.from([0xfb, 0xff, 0xbf]));
  });

  it.each(['Zg==', 'Zh', '+/+/', 'Z', 'Zm9v\n', ' Zm9v', 'Zm9v.', '🗝'])('refuses %j', (text) => {
    expect(fromBase64url(text)).toBeUndefined();
  });
});
