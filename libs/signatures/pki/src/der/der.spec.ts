import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import forge from 'node-forge';

import { contents, type DerNode, encode, generalizedTime, integer, nul, octetString, oid, raw, sequence, setOf, TAG, time, utcTime } from './der.js';
import { DerReader } from './der-reader.js';
import { MalformedDer } from './malformed-der.js';

const parse = (der: Uint8Array): DerReader => DerReader.parse(der, 1 << 20);

describe('SET OF', () => {
  it('stands in the order of its members’ encodings, not in the order given', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 }), (values) => {
        const nodes = values.map((bytes) => octetString(bytes));
        const set = encode(setOf(...nodes));
        expect(encode(setOf(...nodes.toReversed()))).toEqual(set);
        const members = parse(set)
          .members(TAG.set)
          .map(({ bytes }) => bytes);
        expect(members).toEqual(nodes.map(encode).sort(Buffer.compare));
      }),
    );
  });
});

describe('an INTEGER', () => {
  it('is minimal, positive and the same number', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 48 }), (bytes) => {
        const octets = parse(encode(integer(bytes))).integer();
        expect(BigInt(`0x${octets.toString('hex')}`)).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
        expect(octets[0]).toBeLessThan(0x80);
        if (octets.length > 1 && octets[0] === 0) expect(octets[1]).toBeGreaterThan(0x7f);
      }),
      { examples: [[0], [0, 0], [0x7f], [0x80], [0, 0x80], [0xff], [0, 0, 1], [0x80, 0], [0, 0xff, 0xff]].map((bytes) => [Uint8Array.from(bytes)]) },
    );
  });

  it('may be given as a number', () => {
    expect(encode(integer(0)).toString('hex')).toBe('020100');
    expect(encode(integer(128)).toString('hex')).toBe('02020080');
    expect(encode(integer(Number.MAX_SAFE_INTEGER)).toString('hex')).toBe('02071fffffffffffff');
  });
});

describe('raw DER', () => {
  it('is written out unchanged, however it looks inside', () => {
    fc.assert(
      fc.property(fc.constantFrom(0x04, 0x30, 0x31, 0xa0, 0x80, 0x02), fc.uint8Array({ maxLength: 70_000, size: 'max' }), (tag, bytes) => {
        const der = encode(contents(tag, bytes));
        expect(encode(raw(der)).equals(der)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('must be one value with a minimal length', () => {
    const indefinite = `3080${'00'.repeat(128)}`;
    for (const wrong of ['', '04', '0401', '040100ff', '04810100', '30800000', indefinite])
      expect(() => raw(Buffer.from(wrong, 'hex'))).toThrow(MalformedDer);
  });
});

describe('a value', () => {
  it('is written as node-forge writes it', () => {
    fc.assert(
      fc.property(valueOfBoth, ({ ours, forges }) => {
        expect(encode(ours)).toEqual(writtenByForge(forges));
      }),
      { numRuns: 500 },
    );
  });

  it.each([0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xffffff, 0x1000000])('of %d octets has its length in the fewest octets', (length) => {
    const octets = Buffer.alloc(length);
    expect(encode(octetString(octets)).equals(writtenByForge(opaqueOfForge(TAG.octetString, octets)))).toBe(true);
  });
});

describe('a time', () => {
  it('is UTCTime through 2049 and GeneralizedTime from 2050 on', () => {
    expect(encode(time(Date.UTC(2049, 11, 31, 23, 59, 59, 999)))).toEqual(encode(utcTime(Date.UTC(2049, 11, 31, 23, 59, 59))));
    expect(parse(encode(time(Date.UTC(2050, 0, 1)))).tag).toBe(TAG.generalizedTime);
  });

  it('is read as it was written, in whole seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2049, 11, 31) / 1000 }), (second) => {
        expect(parse(encode(utcTime(second * 1000))).time()).toBe(second * 1000);
        expect(parse(encode(generalizedTime(second * 1000 + 999))).time()).toBe(second * 1000);
      }),
    );
  });

  it.each([
    '20261301000000Z',
    '20260230000000Z',
    '20250229000000Z',
    '20260001000000Z',
    '20260100000000Z',
    '20260101240000Z',
    '20260101006000Z',
    '20260101000060Z',
    '20260101000000+0100',
    '20260101000000.10Z',
    '20260101000000',
    '20260101000000.Z',
  ])('is not %s', (text) => {
    expect(() => parse(encode(contents(TAG.generalizedTime, Buffer.from(text)))).time()).toThrow(MalformedDer);
  });

  it('is in any year from 0 to 9999', () => {
    for (const [text, at] of [
      ['00000101000000Z', '0000-01-01T00:00:00Z'],
      ['00500228235959Z', '0050-02-28T23:59:59Z'],
      ['20240229000000Z', '2024-02-29T00:00:00Z'],
      ['99991231235959Z', '9999-12-31T23:59:59Z'],
    ] as const)
      expect(parse(encode(contents(TAG.generalizedTime, Buffer.from(text)))).time()).toBe(Date.parse(at));
  });

  it('may have a fraction', () => {
    expect(parse(encode(contents(TAG.generalizedTime, Buffer.from('20260101000000.0425Z')))).time()).toBe(Date.UTC(2026, 0, 1) + 42);
  });
});

describe('an OBJECT IDENTIFIER', () => {
  it('is read as it was written', () => {
    for (const dotted of ['1.2.840.113549.1.9.16.2.47', '2.5.4.3', '0.4.0']) expect(parse(encode(oid(dotted))).oid()).toBe(dotted);
  });

  it.each([
    ['has no octet', ''],
    ['ends within an arc', '2a86'],
    ['is one octet of an arc that goes on', '80'],
  ])('is malformed when it %s (X.690 §8.19)', (_, octets) => {
    expect(() => parse(encode(contents(TAG.oid, Buffer.from(octets, 'hex')))).oid()).toThrow(new MalformedDer('object identifier'));
  });
});

/** DER with nested values, and octets to change in it. */
const someValue = fc.letrec<{ value: DerNode }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(fc.constantFrom(0x01, 0x02, 0x04, 0x06, 0x0c, 0x80, 0x81), fc.uint8Array({ maxLength: 140 }))
      .map(([tag, bytes]) => contents(tag, bytes)),
    fc.array(tie('value'), { maxLength: 4 }).map((parts) => sequence(...parts)),
  ),
})).value;

const opaqueOfForge = (tag: number, octets: Uint8Array): forge.asn1.Asn1 =>
  forge.asn1.create(tag as forge.asn1.Class, 0 as forge.asn1.Type, false, Buffer.from(octets).toString('latin1'));
const { UNIVERSAL } = forge.asn1.Class;
const { SEQUENCE } = forge.asn1.Type;

/** The same value twice. */
interface OfBoth {
  readonly ours: DerNode;
  readonly forges: forge.asn1.Asn1;
}

const valueOfBoth = fc.letrec<{ value: OfBoth }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(fc.constantFrom(0x01, 0x02, 0x04, 0x06, 0x0c, 0x80, 0x81, 0xa0), fc.uint8Array({ maxLength: 300, size: 'max' }))
      .map(([tag, octets]) => ({ ours: contents(tag, octets), forges: opaqueOfForge(tag, octets) })),
    fc.array(tie('value'), { maxLength: 4 }).map((parts) => ({
      ours: sequence(...parts.map(({ ours }) => ours)),
      forges: forge.asn1.create(
        UNIVERSAL,
        SEQUENCE,
        true,
        parts.map(({ forges }) => forges),
      ),
    })),
  ),
})).value;
const changes = fc.array(fc.tuple(fc.nat(40), fc.oneof(fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0x81, 0x82, 0xff), fc.nat(255))), { maxLength: 3 });

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const readByForge = (bytes: Buffer): forge.asn1.Asn1 =>
  (forge.asn1.fromDer as unknown as (bytes: string, options: object) => forge.asn1.Asn1)(bytes.toString('latin1'), {
    strict: true,
    decodeBitStrings: false,
  });

const writtenByForge = (value: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(value).getBytes(), 'latin1');

/** An octet string in pieces, which DER forbids and node-forge writes again. */
const IN_PIECES = TAG.octetString | 0x20;

const tagsOf = (reader: DerReader): readonly number[] => [
  reader.tag & ~0x20,
  ...(reader.tag & 0x20 ? reader.members().flatMap((member) => tagsOf(member)) : []),
];

const tagsOfForge = ({ tagClass, type, constructed, value }: forge.asn1.Asn1): readonly number[] => [
  constructed && (Number(tagClass) | Number(type)) === TAG.octetString ? IN_PIECES : tagClass | type,
  ...(Array.isArray(value) ? value.flatMap((member) => tagsOfForge(member)) : []),
];

/** Tags of several octets, strings of two octets a character, numbers of other classes than ASN.1's own, which it takes for integers, and strings in pieces. */
const isReadOtherwiseByForge = (tag: number): boolean =>
  [0x1e, 0x1f].includes(tag & 0x1f) || ((tag & 0x1f) === TAG.integer && tag !== TAG.integer) || tag === IN_PIECES;

describe('a reader', () => {
  it('refuses BER, trailing bytes and too much of anything', () => {
    for (const wrong of ['0203000001', '2400', '30800000', '0500ff', '308100', '04820001aa', '', '05']) {
      expect(() => parse(Buffer.from(wrong, 'hex'))).toThrow(MalformedDer);
    }
    expect(() => DerReader.parse(Buffer.alloc(11), 10)).toThrow('more than 10 bytes');
    const deep = Array.from({ length: 40 }).reduce<DerNode>((inner) => sequence(inner), nul());
    expect(() => parse(encode(deep))).toThrow(MalformedDer);
  });

  it('accepts what node-forge reads and would write in the same way', () => {
    fc.assert(
      fc.property(someValue, changes, (value, changed) => {
        const bytes = encode(value);
        for (const [at, octet] of changed) if (at < bytes.length) bytes[at] = octet;
        const [ours, forges] = [attempt(() => parse(bytes)), attempt(() => readByForge(bytes))];
        fc.pre(![...(ours ? tagsOf(ours) : []), ...(forges ? tagsOfForge(forges) : [])].some(isReadOtherwiseByForge));
        const sameAgain = forges !== undefined && writtenByForge(forges).equals(bytes);
        expect(ours !== undefined).toBe(sameAgain);
      }),
      { numRuns: 3000 },
    );
  });

  it('throws nothing but MalformedDer for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parse(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedDer);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes fields in their order and leaves none', () => {
    const fields = parse(encode(sequence(integer(1), oid('1.2.3')))).fields();
    expect(fields.maybe(TAG.oid)).toBeUndefined();
    expect(fields.take().small()).toBe(1);
    expect(() => fields.end()).toThrow('a field too many');
    expect(fields.take().oid()).toBe('1.2.3');
    expect(() => fields.take()).toThrow('a field is missing');
  });
});
