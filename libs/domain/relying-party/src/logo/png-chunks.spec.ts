import fc from 'fast-check';
import { PNG } from 'pngjs';

import { InvalidRequest } from '#kernel';

import { chunk, header, picture, pixels, pngOf } from '#testkit/relying-party/pictures';
import { judgePng } from './png-chunks.js';

const LINE = 64 * 4;
const good = pngOf(header(64, 64), pixels(LINE, 64));

describe('the chunks of a PNG', () => {
  it('lead to the sides of the picture', () => {
    expect(judgePng(picture(512, 128))).toMatchObject({ width: 512, height: 128 });
  });

  it('are copied if pixels and colours need them, and no other is', () => {
    const [palette, transparency, data] = [chunk('PLTE', Buffer.alloc(6)), chunk('tRNS', Buffer.of(0)), pixels(64, 64)];
    const start = header(64, 64, [8, 3, 0, 0, 0]);
    const upload = pngOf(
      start,
      chunk('gAMA', Buffer.alloc(4)),
      palette,
      chunk('iCCP', Buffer.alloc(99)),
      transparency,
      data,
      chunk('tIME', Buffer.alloc(7)),
    );
    expect(judgePng(upload).png.equals(pngOf(start, palette, transparency, data))).toBe(true);
  });

  it.each([
    ['nothing', Buffer.of(), 'must be a PNG'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'must be a PNG'],
    ['HTML behind the signature of a PNG', Buffer.concat([good.subarray(0, 8), Buffer.alloc(64, 60)]), 'must be a PNG'],
    ['a header that is too short', pngOf(chunk('IHDR', Buffer.alloc(12))), 'must be a PNG'],
    ['a header that is too long', pngOf(chunk('IHDR', Buffer.alloc(14))), 'must be a PNG'],
    ['a picture that is too small', pngOf(header(31, 64)), 'must be 32 to 512 pixels'],
    ['a picture that is too large', pngOf(header(64, 513)), 'must be 32 to 512 pixels'],
    ['a side of 2³² − 1', pngOf(header(0xffffffff, 0xffffffff)), 'must be 32 to 512 pixels'],
    ['a picture that is too long', pngOf(header(500, 100)), 'must not be longer than 4 times'],
    ['an interlaced picture', pngOf(header(64, 64, [8, 6, 0, 0, 1])), 'must not be interlaced'],
    ['an unknown kind of interlacing', pngOf(header(64, 64, [8, 6, 0, 0, 2])), 'must not be interlaced'],
    ['an unknown compression', pngOf(header(64, 64, [8, 6, 1, 0, 0])), 'cannot be decoded'],
    ['an unknown filter', pngOf(header(64, 64, [8, 6, 0, 1, 0])), 'cannot be decoded'],
    ['an unknown colour type', pngOf(header(64, 64, [8, 5, 0, 0, 0])), 'cannot be decoded'],
    ['a bit depth that the colour type does not have', pngOf(header(64, 64, [16, 3, 0, 0, 0])), 'cannot be decoded'],
    ['two headers', pngOf(header(64, 64), header(64, 64), pixels(LINE, 64)), 'must have one header'],
    ['an unknown critical chunk', pngOf(header(64, 64), chunk('HEAD', Buffer.alloc(13)), pixels(LINE, 64)), 'cannot be decoded'],
    ['a chunk that is longer than the file', good.with(33, 0x7f), 'cannot be decoded'],
    ['a file without an end', good.subarray(0, -12), 'cannot be decoded'],
    ['something behind the end', Buffer.concat([good, Buffer.from('<script>')]), 'cannot be decoded'],
  ])('are refused: %s', (_, upload, reason) => {
    expect(() => judgePng(Buffer.from(upload))).toThrow(reason);
  });

  it('never lead a decoder to another size than the judged one, whatever is changed in them', () => {
    const parts = [
      header(64, 64),
      header(32, 32),
      header(400, 400),
      chunk('tEXt', Buffer.from('IHDR')),
      chunk('PLTE', Buffer.alloc(9)),
      pixels(LINE, 64),
    ];
    const mixed = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }).map((chunks) => pngOf(...chunks));
    const changed = fc
      .tuple(fc.oneof(mixed, fc.constant(good)), fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 3 }))
      .map(([png, changes]) => changes.reduce((bytes, [at, byte]) => (at < bytes.length ? Buffer.from(bytes.with(at, byte)) : bytes), png));
    let decoded = 0;
    fc.assert(
      fc.property(changed, (upload) => {
        const judged = unless(InvalidRequest, () => judgePng(upload));
        if (!judged) return;
        const { width, height } = unless(Error, () => PNG.sync.read(judged.png)) ?? judged;
        decoded++;
        expect({ width, height }).toEqual({ width: judged.width, height: judged.height });
      }),
      { seed: 7, numRuns: 200 },
    );
    expect(decoded).toBeGreaterThan(20);
  });
});

const unless = <T>(refusal: abstract new (...parts: never[]) => Error, read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof refusal) return undefined;
    throw error;
  }
};
