import { fromHex, toHex, utf8 } from './bytes.js';
import { ecdsaSignatureValue, integer, objectIdentifier, readElements, Tag, tlv } from './der.js';

describe('DER', () => {
  it.each([
    [0, '0400'],
    [127, '047f'],
    [128, '048180'],
    [256, '04820100'],
  ])('writes the length of %i bytes in the fewest octets', (length, start) => {
    expect(toHex(tlv(Tag.OCTET_STRING, new Uint8Array(length)).subarray(0, start.length / 2))).toBe(start);
  });

  it.each([
    ['00', '020100'],
    ['0001', '020101'],
    ['7f', '02017f'],
    ['80', '02020080'],
    ['00ff00', '020300ff00'],
  ])('writes the number %s as a minimal INTEGER', (bytes, der) => {
    expect(toHex(integer(fromHex(bytes)))).toBe(der);
  });

  it('writes object identifiers', () => {
    expect(toHex(objectIdentifier('1.2.840.10045.4.3.2'))).toBe('06082a8648ce3d040302');
    expect(toHex(objectIdentifier('2.5.4.3'))).toBe('0603550403');
  });

  it('writes an ECDSA signature from r and s', () => {
    expect(toHex(ecdsaSignatureValue(fromHex('008000ff')))).toBe('300802020080020200ff');
  });

  it('is read back as it was written', () => {
    const bytes = tlv(Tag.SEQUENCE, tlv(Tag.UTF8_STRING, utf8('a'.repeat(300))), tlv(Tag.NULL));
    const [sequence] = readElements(bytes) ?? [];
    expect(readElements(sequence?.content ?? bytes)?.map(({ tag, content }) => [tag, content.length])).toEqual([
      [Tag.UTF8_STRING, 300],
      [Tag.NULL, 0],
    ]);
  });

  it.each(['30', '3005', '308000', '308100', '30817f', '1f0100', '3084000000010a'])('refuses %s', (hex) => {
    expect(readElements(fromHex(hex))).toBeUndefined();
  });
});
