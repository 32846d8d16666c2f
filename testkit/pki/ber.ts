import { DerReader } from '#signatures/pki';

const CONSTRUCTED = 0x20;

/** The DER value in BER: constructed values of indefinite length, so many levels deep, and DER below. */
export const indefinite = (der: Uint8Array, depth: number): Buffer => {
  const reader = DerReader.parse(der, der.length);
  if (depth === 0 || !(reader.tag & CONSTRUCTED)) return reader.bytes;
  return Buffer.concat([Buffer.of(reader.tag, 0x80), ...reader.members().map(({ bytes }) => indefinite(bytes, depth - 1)), Buffer.of(0, 0)]);
};
