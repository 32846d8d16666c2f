import { parentPort, workerData } from 'node:worker_threads';

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

import type { Comparison } from './compare-pictures.ts';

/** How far the colours of a pixel may lie apart, 0 to 1. */
const COLOUR_TOLERANCE = 0.15;

/** Pixels along each side of a region: a short word and the line around it. */
const REGION = 48;

/**
 * Compares two PNGs in a separate thread: in jest's context each use of a global is slow, and the comparison makes millions of them.
 * Pictures of different size differ wholly.
 */
const compare = (accepted: Uint8Array, taken: Uint8Array): Comparison => {
  const [before, after] = [PNG.sync.read(Buffer.from(accepted)), PNG.sync.read(Buffer.from(taken))];
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return { changed: 1, densest: width * height };
  const marks = new PNG({ width, height });
  const pixels = pixelmatch(before.data, after.data, marks.data, width, height, { threshold: COLOUR_TOLERANCE });
  return { changed: pixels / (width * height), ...densestRegion(marks), marked: PNG.sync.write(marks) };
};

/** The region with the most marked pixels. Pixelmatch marks them red. */
const densestRegion = ({ data, width, height }: PNG): { densest: number; left: number; top: number } => {
  const columns = Math.ceil(width / REGION);
  const counts = new Uint32Array(columns * Math.ceil(height / REGION));
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * 4;
    if (data[at] !== 255 || data[at + 1] !== 0 || data[at + 2] !== 0) continue;
    const region = Math.floor(Math.floor(pixel / width) / REGION) * columns + Math.floor((pixel % width) / REGION);
    counts[region] = (counts[region] ?? 0) + 1;
  }
  const densest = Math.max(0, ...counts);
  const region = counts.indexOf(densest);
  return { densest, left: (region % columns) * REGION, top: Math.floor(region / columns) * REGION };
};

const { accepted, taken } = workerData as { accepted: Uint8Array; taken: Uint8Array };
parentPort?.postMessage(compare(accepted, taken));
