import { v5 } from 'uuid';

import { parseId, uuidOf, uuidOfName } from './ids.js';

describe('parseId', () => {
  it('answers the id in lower case', () => {
    expect(parseId('F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6')).toBe('f81d4fae-7dec-11d0-a765-00a0c91e6bf6');
  });

  it.each([
    '',
    'f81d4fae7dec11d0a76500a0c91e6bf6',
    '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}',
    'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n',
    ' f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'g81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf',
    'ｆ81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    null,
    undefined,
    7,
    ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    {},
  ])('refuses %j', (text) => {
    expect(parseId(text)).toBeUndefined();
  });
});

describe('an id derived from bytes', () => {
  it('is a UUIDv8 of the first 16 bytes (RFC 9562 §5.8)', () => {
    expect(uuidOf(Buffer.alloc(32, 0xff))).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
    expect(uuidOf(Buffer.alloc(16))).toBe('00000000-0000-8000-8000-000000000000');
    expect(uuidOf(Buffer.from('2489e9ad2ee28e008ec932d5f69181c0', 'hex'))).toBe('2489e9ad-2ee2-8e00-8ec9-32d5f69181c0');
  });

  it('leaves the bytes as they are', () => {
    const bytes = Buffer.alloc(16);
    uuidOf(bytes);
    expect(bytes).toEqual(Buffer.alloc(16));
  });
});

describe('an id derived from a name', () => {
  const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

  it('is a UUIDv5 (RFC 9562 §5.5)', () => {
    expect(uuidOfName('www.example.com', DNS)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2'); // appendix A.4
  });

  it('is the same as that of the package uuid, for any name and namespace', () => {
    let namespace = DNS;
    for (let number = 0; number < 200; number++) {
      const name = `session-${namespace}/${number} ${'õ😀'.repeat(number % 5)}`;
      expect(uuidOfName(name, namespace.toUpperCase())).toBe(v5(name, namespace));
      namespace = uuidOfName(name, namespace);
    }
  });
});
