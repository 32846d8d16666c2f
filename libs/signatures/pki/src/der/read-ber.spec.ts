import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { indefinite } from '#testkit/pki/ber';
import { encode, integer, octetString, raw, sequence, tagged } from './der.js';
import { DerReader } from './der-reader.js';
import { MalformedDer } from './malformed-der.js';
import { readBer } from './read-ber.js';

const LIMIT = 64 * 1024;
const inner = encode(sequence(integer(5), tagged(0, octetString(Buffer.alloc(300, 7)))));

describe('a value in BER', () => {
  it('that is in DER is read as it is', () => {
    expect(readBer(inner, LIMIT).bytes).toEqual(inner);
  });

  it.each([1, 2, 3])('with indefinite lengths %d levels deep is the value in DER', (depth) => {
    expect(readBer(indefinite(inner, depth), LIMIT).bytes).toEqual(inner);
  });

  it('with a length in more octets than needed is the value in DER', () => {
    const long = Buffer.concat([Buffer.of(0x30, 0x83, 0, 0, 3), encode(integer(9))]);
    expect(readBer(long, LIMIT).bytes).toEqual(encode(sequence(integer(9))));
  });

  it('with an octet string in pieces, and pieces of pieces, holds the whole string', () => {
    const pieces = Buffer.concat([octetString(Buffer.from('ab')), octetString(Buffer.from('c'))].map(encode));
    const nested = Buffer.concat([Buffer.of(0x24, 0x80), pieces, Buffer.of(0x24, pieces.length), pieces, Buffer.of(0, 0)]);
    expect(readBer(encode(tagged(0, raw(encode(octetString(Buffer.from('x')))))), LIMIT).bytes[0]).toBe(0xa0);
    expect(readBer(Buffer.concat([Buffer.of(0x30, 0x80), nested, Buffer.of(0, 0)]), LIMIT).bytes).toEqual(
      encode(sequence(octetString(Buffer.from('abcabc')))),
    );
  });

  it('is the same value however each level is written', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }), fc.nat({ max: 4 }), (contents, depth) => {
        const der = encode(sequence(tagged(0, sequence(...contents.map((content) => octetString(content)))), integer(1)));
        expect(readBer(indefinite(der, depth), LIMIT).bytes).toEqual(der);
      }),
    );
  });

  it.each([
    ['no end', Buffer.of(0x30, 0x80, 2, 1, 1)],
    ['bytes after its end', Buffer.concat([indefinite(inner, 1), Buffer.of(0)])],
    ['a primitive value of indefinite length', Buffer.of(0x30, 0x80, 4, 0x80, 0, 0, 0, 0)],
    ['a length beyond its end', Buffer.of(0x30, 0x80, 4, 0x84, 0xff, 0xff, 0xff, 0xff, 0, 0)],
    ['pieces of another type', Buffer.of(0x30, 0x80, 0x24, 3, 2, 1, 1, 0, 0)],
    ['a padded integer', Buffer.of(0x30, 0x80, 2, 2, 0, 1, 0, 0)],
    ['a hundred thousand levels', Buffer.alloc(60_000, Buffer.of(0x30, 0x80))],
    ['more bytes than the limit', Buffer.alloc(LIMIT + 1)],
  ])('with %s is refused', (_, bytes) => {
    expect(() => readBer(bytes, LIMIT)).toThrow(MalformedDer);
  });

  it('and any other bytes end in a value or in a refusal', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          expect(DerReader.parse(readBer(bytes, LIMIT).bytes, LIMIT)).toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedDer);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
