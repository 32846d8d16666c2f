import { describe, expect, it } from '@jest/globals';
import { PNG } from 'pngjs';

import { comparePictures, MOST_CHANGED } from './support/compare-pictures.js';

const SIDE = 100;

/** A white square with a black bar of so many pixels. */
const picture = (black: number, shade = 0, side = SIDE): Buffer => {
  const png = new PNG({ width: side, height: side });
  png.data.fill(255);
  for (let pixel = 0; pixel < black; pixel++) png.data.fill(shade, pixel * 4, pixel * 4 + 3);
  return PNG.sync.write(png);
};

describe('the comparison of pictures', () => {
  it('finds no difference between equal pictures', async () => {
    expect((await comparePictures(picture(300), picture(300))).changed).toBe(0);
  });

  it('lets pass a shade that no eye sees', async () => {
    expect((await comparePictures(picture(300, 0), picture(300, 6))).changed).toBe(0);
  });

  it('finds a bar that became longer', async () => {
    expect((await comparePictures(picture(300), picture(600))).changed).toBeGreaterThan(MOST_CHANGED);
  });

  it('counts pictures of another size as wholly different', async () => {
    expect((await comparePictures(picture(0), picture(0, 0, SIDE + 1))).changed).toBe(1);
  });
});
