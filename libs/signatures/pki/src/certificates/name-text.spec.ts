import { describe, expect, it } from '@jest/globals';

import { contents, encode } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { textOf } from './name-text.js';

const read = (tag: number, content: Buffer): string | undefined => textOf(DerReader.parse(encode(contents(tag, content)), 1024));

describe('the text of a string in a name', () => {
  it.each([
    ['PrintableString', 0x13, Buffer.from('Bank'), 'Bank'],
    ['UTF8String', 0x0c, Buffer.from('Pank Õ 😀'), 'Pank Õ 😀'],
    ['TeletexString', 0x14, Buffer.from('Pank Õ', 'latin1'), 'Pank Õ'],
    ['BMPString', 0x1e, Buffer.from('Pank Š', 'utf16le').swap16(), 'Pank Š'],
    ['UniversalString', 0x1c, Buffer.from('000001600001f600', 'hex'), 'Š😀'],
  ])('is that of its type: %s', (_, tag, content, text) => {
    expect(read(tag, content)).toBe(text);
  });

  it('has a mark in the place of what is no character', () => {
    expect(read(0x1c, Buffer.from('0000d800ffffffff0000', 'hex'))).toBe('\uFFFD\uFFFD\uFFFD');
    expect(read(0x1e, Buffer.from('004200', 'hex'))).toBe('B\uFFFD');
  });

  it('is absent of a value that is no string', () => {
    expect(read(0x02, Buffer.of(1))).toBeUndefined();
  });
});
