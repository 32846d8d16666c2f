import { describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';

import { comparePictures, compareScreen, looksTheSame } from './support/compare-pictures.js';
import { useStage } from './support/index.js';

const stage = useStage();

const SIDE = 100;

/** A white square with a black bar of so many pixels. */
const picture = (black: number, shade = 0, side = SIDE): Buffer => {
  const png = new PNG({ width: side, height: side });
  png.data.fill(255);
  for (let pixel = 0; pixel < black; pixel++) png.data.fill(shade, pixel * 4, pixel * 4 + 3);
  return PNG.sync.write(png);
};

const same = async (accepted: Buffer, taken: Buffer): Promise<boolean> => looksTheSame(await comparePictures(accepted, taken));

describe('the comparison of pictures', () => {
  it('finds no difference between equal pictures', async () => {
    expect(await same(picture(300), picture(300))).toBe(true);
  });

  it('lets pass a shade that no eye sees', async () => {
    expect(await same(picture(300, 0), picture(300, 6))).toBe(true);
  });

  it('finds a bar that became longer', async () => {
    expect(await same(picture(300), picture(600))).toBe(false);
  });

  it('counts pictures of another size as wholly different', async () => {
    expect(await comparePictures(picture(0), picture(0, 0, SIDE + 1))).toMatchObject({ changed: 1 });
    expect(await same(picture(0), picture(0, 0, SIDE + 1))).toBe(false);
  });

  it('says where pictures differ most', async () => {
    expect(await comparePictures(picture(0), picture(20))).toMatchObject({ densest: 20, left: 0, top: 0 });
  });

  it('takes a screen again that is not drawn yet, and counts a difference that stays', async () => {
    const takes = (...pictures: Buffer[]) =>
      compareScreen(picture(300), () => Promise.resolve(pictures.length > 1 ? pictures.shift()! : pictures[0]!));
    expect((await takes(picture(0), picture(600), picture(300))).comparison).toEqual({ changed: 0, densest: 0 });
    expect(looksTheSame((await takes(picture(0), picture(600))).comparison)).toBe(false);
  });

  it('finds that a word of one letter is missing on a wide screen', async () => {
    const page = await (await stage.visitor({ viewport: { width: 1280, height: 800 } })).open('about:blank');
    const line = (word: string): Promise<Buffer> =>
      page
        .setContent(`<p style="font: 16px 'Liberation Sans'; color: #5c6470">The phone must show <span>${word}</span></p>`)
        .then(() => page.screenshot({ scale: 'css' }));
    expect(await same(await line('a'), await line('a'))).toBe(true);
    expect(await same(await line('a'), await line(''))).toBe(false);
  });
});
