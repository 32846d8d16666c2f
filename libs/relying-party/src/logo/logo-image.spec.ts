import { crc32, deflateSync } from 'node:zlib';

import { PNG } from 'pngjs';

import { logoOf } from './logo-image.js';

const picture = (width: number, height: number, noise = false): Buffer => {
  const png = new PNG({ width, height });
  for (let byte = 0; byte < png.data.length; byte++) png.data[byte] = noise ? (byte * 7919 * (byte + 13)) % 251 : 120;
  return PNG.sync.write(png);
};
const base64 = (bytes: Buffer): string => bytes.toString('base64');
const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
  return Buffer.concat([length, Buffer.from(type), data, checksum]);
};

describe('the picture of a logo', () => {
  it('is encoded anew: nothing of the upload but its pixels is kept', () => {
    const script = Buffer.from('<script>alert(1)</script>');
    const plain = picture(64, 48);
    const { image, width, height, hash } = logoOf(base64(Buffer.concat([plain.subarray(0, 33), chunk('tEXt', script), plain.subarray(33)])));
    expect({ width, height }).toEqual({ width: 64, height: 48 });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const stored = Buffer.from(image, 'base64');
    expect(stored.includes(script)).toBe(false);
    expect(PNG.sync.read(stored).data.equals(PNG.sync.read(picture(64, 48)).data)).toBe(true);
  });

  it('has the same hash whenever it is uploaded', () => {
    expect(logoOf(base64(picture(64, 64))).hash).toBe(logoOf(base64(picture(64, 64))).hash);
  });

  const bomb = picture(64, 64);
  const tooManyPixels = Buffer.concat([bomb.subarray(0, 33), chunk('IDAT', deflateSync(Buffer.alloc(8_000_000))), chunk('IEND', Buffer.alloc(0))]);

  it.each([
    ['no base64', '!!', 'must be base64'],
    ['an SVG', base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')), 'must be a PNG'],
    ['HTML behind the signature of a PNG', base64(Buffer.concat([picture(64, 64).subarray(0, 8), Buffer.alloc(64, 60)])), 'must be a PNG'],
    ['one that is too small', base64(picture(31, 64)), 'must be 32 to 512 pixels'],
    ['one that is too large', base64(picture(64, 513)), 'must be 32 to 512 pixels'],
    ['one that is too long', base64(picture(500, 100)), 'must not be longer than 4 times'],
    ['one that ends early', base64(picture(64, 64).subarray(0, 60)), 'cannot be decoded'],
    ['one of more pixels than its header says', base64(tooManyPixels), 'cannot be decoded'],
    ['one with something behind the picture', base64(Buffer.concat([bomb, Buffer.from('<script>')])), 'cannot be decoded'],
    ['one of too many bytes', base64(picture(256, 256, true)), 'must have at most 32 KiB'],
  ])('is refused: %s', (_, upload, reason) => {
    expect(() => logoOf(upload)).toThrow(reason);
  });

  it('is refused when it is interlaced', () => {
    const interlaced = picture(64, 64);
    interlaced[28] = 1;
    expect(() => logoOf(base64(interlaced))).toThrow('must not be interlaced');
  });
});
