import { describe, expect, it } from '@jest/globals';

import { contents, type DerNode, encode, oid, sequence, setOf, TAG } from '../der/der.js';
import { OID } from '../der/oids.js';
import { sameName } from './same-name.js';

const attribute = (type: string, tag: number, value: string | Buffer): DerNode => sequence(oid(type), contents(tag, Buffer.from(value)));
const name = (...parts: readonly (readonly DerNode[])[]): Buffer => encode(sequence(...parts.map((part) => setOf(...part))));
const common = (value: string | Buffer, tag: number = TAG.utf8String): Buffer => name([attribute(OID.commonName, tag, value)]);

describe('two names are the same', () => {
  it.each([
    ['byte for byte', common('Root CA'), common('Root CA')],
    ['in upper and lower case', common('Root CA'), common('ROOT ca')],
    ['with another amount of white space', common('Root CA'), common('  Root \t  CA ')],
    ['in another type of string', common('Root CA'), common('Root CA', TAG.printableString)],
    ['in UTF-16', common('Root CA'), common(Buffer.from('Root CA', 'utf16le').swap16(), 0x1e)],
    ['in UTF-32', common('Root CA'), common(Buffer.from([...'Root CA'].flatMap((one) => [0, 0, 0, one.charCodeAt(0)])), 0x1c)],
    ['in TeletexString, by which authorities mean Latin-1', common('M\u00e4nnik'), common(Buffer.from('M\u00e4nnik', 'latin1'), 0x14)],
    ['in capitals of several letters', common('Straße'), common('STRASSE')],
    ['with a soft hyphen and a joiner more (RFC 4518 §2.2)', common('Root CA'), common('Ro\u00adot\u200d CA')],
    ['with composed and decomposed letters', common('M\u00e4nnik'), common('Ma\u0308nnik')],
    [
      'with the attributes of one part in another order',
      name([attribute(OID.commonName, TAG.utf8String, 'b'), attribute(OID.surname, TAG.utf8String, 'Aaaa')]),
      name([attribute(OID.surname, TAG.utf8String, 'aaaa'), attribute(OID.commonName, TAG.utf8String, 'B')]),
    ],
  ])('%s', (_, one, other) => {
    expect([sameName(one, other), sameName(other, one)]).toEqual([true, true]);
  });
});

describe('two names are different', () => {
  const parts = [attribute(OID.commonName, TAG.utf8String, 'a'), attribute(OID.surname, TAG.utf8String, 'b')];
  it.each([
    ['with another letter', common('Root CA'), common('Root CB')],
    [
      'when an attribute holds a field too many',
      common('Root CA'),
      name([sequence(oid(OID.commonName), contents(TAG.utf8String, Buffer.from('Root CA')), oid(OID.commonName))]),
    ],
    ['with a dotless i', common('Istanbul'), common('\u0131stanbul')],
    ['with white space inside a word', common('Root CA'), common('Ro ot CA')],
    ['with another attribute', common('Root CA'), name([attribute(OID.surname, TAG.utf8String, 'Root CA')])],
    ['with one part more', name(parts.slice(0, 1)), name(parts.slice(0, 1), parts.slice(1))],
    ['with two attributes in one part instead of two parts', name(parts), name(parts.slice(0, 1), parts.slice(1))],
    ['with a text that looks like two attributes', common('a","2.5.4.4=text:b'), name(parts)],
    ['when one is malformed', common('Root CA'), Buffer.from('no name')],
    ['with a value of no string type', common('Root CA', TAG.octetString), common('ROOT CA', TAG.octetString)],
  ])('%s', (_, one, other) => {
    expect([sameName(one, other), sameName(other, one)]).toEqual([false, false]);
  });
});
