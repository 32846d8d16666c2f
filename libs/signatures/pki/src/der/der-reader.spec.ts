import { randomInt } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { contents, type DerNode, encode, integer, nul, octetString, oid, sequence, setOf, TAG } from './der.js';
import { DerReader } from './der-reader.js';
import { MalformedDer } from './malformed-der.js';

const parse = (der: Uint8Array): DerReader => DerReader.parse(der, 1 << 20);
const hex = (text: string): DerReader => parse(Buffer.from(text, 'hex'));
const refused = (read: () => unknown, reason: string): void => {
  expect(read).toThrow(MalformedDer);
  expect(read).toThrow(new MalformedDer(reason));
};

describe('DER', () => {
  it('has tag and length before the end of what holds it, and a tag of one octet', () => {
    // the second: a SEQUENCE of one octet, before another value
    for (const wrong of ['', '05', '30010500', '1f0100', '3f0100']) refused(() => hex(wrong), 'no tag and length');
  });

  it('has a length of at most four octets, all before the end of what holds it', () => {
    for (const wrong of ['0480', '30800000', '0481', '048201', '04850100000000', '3003048201ffff']) {
      refused(() => hex(wrong), 'indefinite or cut length');
    }
    refused(() => hex('048180'), 'a value is cut off');
    const long = Buffer.concat([Buffer.from('048401000000', 'hex'), Buffer.alloc(1 << 24)]);
    expect(DerReader.parse(long, 1 << 25).content()).toHaveLength(1 << 24);
  });

  it.each(['048101aa', `04817f${'aa'.repeat(127)}`, `04820080${'aa'.repeat(128)}`, `0483000100${'aa'.repeat(256)}`])(
    'has the length in the fewest octets (X.690 §10.1): not %.10s',
    (wrong) => refused(() => hex(wrong), 'a length with superfluous octets'),
  );

  it.each([0, 1, 127, 128, 255, 256, 65_535, 65_536])('may hold %d octets', (octets) => {
    const bytes = Buffer.alloc(octets, 0xaa);
    expect(parse(encode(octetString(bytes))).octets()).toEqual(bytes);
  });

  it('ends where its values end', () => {
    refused(() => hex('0402aa'), 'a value is cut off');
    refused(() => hex('30030402aa'), 'a value is cut off');
    refused(() => hex('0500ff'), 'bytes after the value');
  });

  it('is no longer than the limit', () => {
    expect(DerReader.parse(Buffer.from('0500', 'hex'), 2).tag).toBe(TAG.nul);
    refused(() => DerReader.parse(Buffer.from('0500', 'hex'), 1), 'more than 1 bytes');
  });

  it('has values in 31 others, and not in 32', () => {
    const nested = (times: number): Buffer => encode(Array.from({ length: times }).reduce<DerNode>((inner) => sequence(inner), nul()));
    expect(parse(nested(31)).tag).toBe(TAG.sequence);
    refused(() => parse(nested(32)), 'nested too deep');
  });
});

describe('a value', () => {
  it('is of the tag that is asked for', () => {
    refused(() => hex('3000').as(TAG.integer), 'tag 0x02 expected, 0x30 found');
    refused(() => parse(encode(sequence())).members(TAG.set), 'tag 0x31 expected, 0x30 found');
    refused(() => parse(encode(setOf())).fields(), 'tag 0x30 expected, 0x31 found');
    refused(() => hex('3003020101').fields().take(TAG.oid), 'tag 0x06 expected, 0x02 found');
  });

  it('is constructed or primitive, as is asked for', () => {
    refused(() => hex('0500').members(), 'constructed value expected');
    refused(() => hex('3000').content(), 'primitive value expected');
  });

  it('is the only one where one only may stand', () => {
    expect(hex('a003020107').only(TAG.constructed(0)).small()).toBe(7);
    refused(() => hex('a000').only(TAG.constructed(0)), 'a field is missing');
    refused(() => hex('a006020107020107').only(TAG.constructed(0)), 'a field too many');
    refused(() => hex('a003020107').only(TAG.constructed(1)), 'tag 0xa1 expected, 0xa0 found');
  });

  it('may be skipped when its tag is another one', () => {
    const fields = parse(encode(sequence(integer(1), nul()))).fields();
    expect(fields.maybe(TAG.oid, TAG.octetString)).toBeUndefined();
    expect(fields.maybe(TAG.oid, TAG.integer)?.small()).toBe(1);
    refused(() => fields.end(), 'a field too many');
    fields.take(TAG.nul);
    expect(fields.maybe(TAG.nul)).toBeUndefined();
    fields.end();
  });

  it('is handed out as a copy', () => {
    const reader = hex('0401aa');
    reader.bytes.fill(0);
    reader.content().fill(0);
    expect(reader.bytes.toString('hex')).toBe('0401aa');
  });
});

describe('an INTEGER', () => {
  it.each(['02020000', '0202007f', '0202ffff', '0202ff80'])('has no superfluous octets (X.690 §8.3.2): not %s', (wrong) => {
    refused(() => hex(wrong), 'an integer with superfluous octets');
  });

  it.each(['00', '7f', '80', 'ff', '0080', 'ff7f'])('may be %s', (octets) => {
    expect(
      parse(encode(contents(TAG.integer, Buffer.from(octets, 'hex'))))
        .integer()
        .toString('hex'),
    ).toBe(octets);
  });

  it('has an octet', () => {
    refused(() => hex('0200').integer(), 'empty integer');
    refused(() => hex('0401aa').integer(), 'tag 0x02 expected, 0x04 found');
  });

  it.each(['0200', '02050100000000', '0201ff', '020480000000'])('is no small number: %s', (wrong) => {
    refused(() => hex(wrong).small(), 'small number expected');
  });

  it('is a small number of up to four octets', () => {
    expect(['020100', '020101', '02047fffffff'].map((small) => hex(small).small())).toEqual([0, 1, 0x7fffffff]);
    expect(hex('0a0103').small(TAG.enumerated)).toBe(3);
  });
});

describe('a BOOLEAN', () => {
  it('is 00 or ff (X.690 §11.1)', () => {
    expect([hex('010100').boolean(), hex('0101ff').boolean()]).toEqual([false, true]);
    for (const wrong of ['0100', '010101', '01020000', '0102ffff']) refused(() => hex(wrong).boolean(), 'boolean');
    refused(() => hex('0401ff').boolean(), 'tag 0x01 expected, 0x04 found');
  });
});

describe('a BIT STRING', () => {
  it('is of whole octets', () => {
    expect(hex('030300aabb').bits().toString('hex')).toBe('aabb');
    for (const wrong of ['0300', '030204a0']) refused(() => hex(wrong).bits(), 'bit string of whole octets expected');
    refused(() => hex('0401aa').bits(), 'tag 0x03 expected, 0x04 found');
  });
});

describe('an OCTET STRING', () => {
  it('is no other primitive value', () => refused(() => hex('0c0141').octets(), 'tag 0x04 expected, 0x0c found'));
});

describe('an OBJECT IDENTIFIER', () => {
  it('is read as it was written, the first time and later', () => {
    const [one, other] = [1, 2].map((arc) => `1.3.6.1.4.1.${randomInt(2 ** 31)}.${arc}`) as [string, string];
    expect([one, other, one].map((dotted) => parse(encode(oid(dotted))).oid())).toEqual([one, other, one]);
  });

  it.each(['0600', '06022a86', '060180'])('is whole (X.690 §8.19): not %s', (wrong) => refused(() => hex(wrong).oid(), 'object identifier'));

  it('is no other primitive value', () => refused(() => hex('04012a').oid(), 'tag 0x06 expected, 0x04 found'));
});

describe('a time', () => {
  const read = (tag: number, text: string): number => parse(encode(contents(tag, Buffer.from(text)))).time();

  it('of two digits for the year is from 1950 to 2049 (RFC 5280 §4.1.2.5.1)', () => {
    expect(read(TAG.utcTime, '500101000000Z')).toBe(Date.UTC(1950, 0, 1));
    expect(read(TAG.utcTime, '491231235959Z')).toBe(Date.UTC(2049, 11, 31, 23, 59, 59));
  });

  it('counts a fraction down to the millisecond', () => {
    expect(read(TAG.generalizedTime, '20260101000000Z')).toBe(Date.UTC(2026, 0, 1));
    expect(read(TAG.generalizedTime, '20260101000000.9999Z')).toBe(Date.UTC(2026, 0, 1) + 999);
  });

  it.each([
    [TAG.generalizedTime, '260101000000Z'],
    [TAG.utcTime, '20260101000000Z'],
    [TAG.utcTime, '260101000000.5Z'],
    [TAG.octetString, '20260101000000Z'],
    [TAG.octetString, '260101000000Z'],
  ])('is of its own form: tag %d, not %s', (tag, text) => refused(() => read(tag, text), 'time in UTC expected'));

  it.each(['20260230000000Z', '20261301000000Z', '20260101240000Z', '20260101006000Z', '20260101000060Z'])('is in the calendar: not %s', (text) => {
    refused(() => read(TAG.generalizedTime, text), 'no such time');
  });
});
