import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';

import { jest } from '@jest/globals';
import { PNG } from 'pngjs';

import { chunk, header, picture, pixels, pngOf } from '#testkit/relying-party/pictures';
import { logoOf } from './logo-image.js';
import { PictureDecoder } from './picture-decoder.js';

const base64 = (bytes: Buffer): string => bytes.toString('base64');

let decoder: PictureDecoder;
beforeAll(() => {
  decoder = new PictureDecoder();
});
afterAll(() => decoder.close());

const logo = (upload: Buffer) => logoOf(base64(upload), decoder);

describe('the picture of a logo', () => {
  it('is encoded anew: nothing of the upload but its pixels is kept', async () => {
    const script = Buffer.from('<script>alert(1)</script>');
    const plain = picture(64, 48);
    const { image, width, height, hash } = await logo(Buffer.concat([plain.subarray(0, 33), chunk('tEXt', script), plain.subarray(33)]));
    expect({ width, height }).toEqual({ width: 64, height: 48 });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const stored = Buffer.from(image, 'base64');
    expect(stored.includes(script)).toBe(false);
    expect(PNG.sync.read(stored).data.equals(PNG.sync.read(picture(64, 48)).data)).toBe(true);
  });

  it('has the same hash whenever it is uploaded', async () => {
    expect((await logo(picture(64, 64))).hash).toBe((await logo(picture(64, 64))).hash);
  });

  it.each([
    ['a palette of one bit', [1, 3, 0, 0, 0], [chunk('PLTE', Buffer.alloc(6, 90)), chunk('tRNS', Buffer.of(7))], 8],
    ['grey of 16 bits', [16, 0, 0, 0, 0], [], 128],
    ['red, green and blue', [8, 2, 0, 0, 0], [], 192],
    ['grey with alpha', [8, 4, 0, 0, 0], [], 128],
  ])('may be of %s', async (_, rest, colours, bytesOfALine) => {
    expect(await logo(pngOf(header(64, 64, rest), ...colours, pixels(bytesOfALine, 64)))).toMatchObject({ width: 64, height: 64 });
  });

  it('of an animation is its first frame', async () => {
    const frames = [chunk('acTL', Buffer.alloc(8)), chunk('fcTL', Buffer.alloc(26, 255)), chunk('fdAT', Buffer.alloc(64))];
    const { image } = await logo(pngOf(header(64, 64), frames[0]!, pixels(256, 64), frames[1]!, frames[2]!));
    expect(image).toBe((await logo(pngOf(header(64, 64), pixels(256, 64)))).image);
  });

  it.each([
    ['one that ends within its pixels', picture(64, 64).subarray(0, 60)],
    ['one with a wrong checksum', picture(64, 64).with(50, 1)],
    ['one of more pixels than its header says', pngOf(header(64, 64), chunk('IDAT', deflateSync(Buffer.alloc(8_000_000))))],
    ['one of fewer pixels than its header says', pngOf(header(64, 64), pixels(256, 63))],
    ['one of no pixels', pngOf(header(64, 64))],
    ['one of a palette that it lacks', pngOf(header(64, 64, [8, 3, 0, 0, 0]), pixels(64, 64))],
    ['one of a colour outside its palette', pngOf(header(64, 64, [8, 3, 0, 0, 0]), chunk('PLTE'), pixels(64, 64))],
  ])('is refused when it cannot be decoded: %s', async (_, upload) => {
    await expect(logo(Buffer.from(upload))).rejects.toMatchObject({ code: 'invalid_request', detail: '`image` cannot be decoded as a PNG.' });
  });

  it.each([
    ['no base64', '!!', 'must be base64'],
    ['one of too many bytes', base64(picture(256, 256, true)), 'must have at most 32 KiB'],
  ])('is refused: %s', async (_, upload, reason) => {
    await expect(logoOf(upload, decoder)).rejects.toThrow(reason);
  });

  it('is refused when it is larger after it was encoded anew', async () => {
    // Noise of 16 colours: half a byte for each pixel in the upload.
    const noise = Buffer.from(Array.from({ length: 129 * 240 }, (_, at) => (at % 129 === 0 ? 0 : (at * 7919 * (at + 13)) % 251)));
    const upload = pngOf(header(256, 240, [4, 3, 0, 0, 0]), chunk('PLTE', randomBytes(48)), chunk('IDAT', deflateSync(noise)));
    expect(upload.length).toBeLessThanOrEqual(32 * 1024);
    await expect(logo(upload)).rejects.toThrow('must have at most 32 KiB once it is encoded anew');
  });

  it('may be of the largest size, many times', async () => {
    const largest = pngOf(header(512, 512, [16, 6, 0, 0, 0]), pixels(4_096, 512));
    for (let pictures = 0; pictures < 10; pictures++) expect(await logo(largest)).toMatchObject({ width: 512 });
  });

  it.each([
    ['another size', picture(32, 32)],
    ['something else than a PNG', Buffer.from('<script>')],
  ])('is refused when the decoder writes %s', async (_, written) => {
    await expect(logoOf(base64(picture(64, 64)), { reencode: async () => written })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a picture that says to be small and is large', () => {
  const large = 30_000;
  const [small, line] = [header(64, 64), Buffer.alloc(1)];
  it.each([
    ['30,000 × 30,000', pngOf(header(large, large), chunk('IDAT', deflateSync(line))), 'must be 32 to 512 pixels'],
    ['a second header of 30,000 × 30,000', pngOf(small, header(large, large), chunk('IDAT', deflateSync(line))), 'must have one header'],
    ['a second header behind the pixels', pngOf(small, pixels(256, 64), header(large, large)), 'must have one header'],
    [
      'a second header of many lines that a few bytes fill',
      pngOf(small, header(4_000, 4_000, [1, 0, 0, 0, 0]), pixels(500, 4_000)),
      'must have one header',
    ],
    ['a second header that is interlaced', pngOf(small, header(64, 64, [8, 6, 0, 0, 1]), pixels(256, 64)), 'must have one header'],
    ['a header behind another chunk', pngOf(chunk('tEXt', Buffer.from('a')), small, header(large, large)), 'must be a PNG'],
    ['a second picture behind the first one', Buffer.concat([picture(64, 64), pngOf(header(large, large))]), 'cannot be decoded'],
  ])('is refused before it is decoded, in the memory that the process has: %s', async (_, upload, reason) => {
    expect(upload.length).toBeLessThanOrEqual(32 * 1024);
    const reencode = jest.fn<() => Promise<Buffer>>();
    const before = process.memoryUsage.rss();
    await expect(logoOf(base64(upload), { reencode })).rejects.toMatchObject({ code: 'invalid_request', detail: expect.stringContaining(reason) });
    expect(reencode).not.toHaveBeenCalled();
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });
});
