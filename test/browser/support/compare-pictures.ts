import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** The part of a picture that may change before a test fails: the edges of letters differ between versions of the browser. */
export const MOST_CHANGED = 0.002;

/** How far the colours of a pixel may lie apart, 0 to 1. */
const COLOUR_TOLERANCE = 0.15;

export interface Comparison {
  /** The part of the pixels that differ, 0 to 1. Pictures of different size differ wholly. */
  readonly changed: number;
  /** A PNG that marks the pixels. */
  readonly marked?: Buffer;
}

/** Compares two PNGs. Differences that only smooth edges do not count. */
export const comparePictures = (accepted: Buffer, taken: Buffer): Comparison => {
  const [before, after] = [PNG.sync.read(accepted), PNG.sync.read(taken)];
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return { changed: 1 };
  const marks = new PNG({ width, height });
  const pixels = pixelmatch(before.data, after.data, marks.data, width, height, { threshold: COLOUR_TOLERANCE });
  return { changed: pixels / (width * height), marked: PNG.sync.write(marks) };
};
