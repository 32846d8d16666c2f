import { parentPort, workerData } from 'node:worker_threads';

import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

/** How far the colours of a pixel may lie apart, 0 to 1. */
const COLOUR_TOLERANCE = 0.15;

/**
 * Compares two PNGs in a thread of its own: inside the tests' own context each use of a global takes a detour, and there are millions of them.
 * Pictures of different size differ wholly.
 */
const compare = (accepted: Uint8Array, taken: Uint8Array): { changed: number; marked?: Uint8Array } => {
  const [before, after] = [PNG.sync.read(Buffer.from(accepted)), PNG.sync.read(Buffer.from(taken))];
  const { width, height } = before;
  if (after.width !== width || after.height !== height) return { changed: 1 };
  const marks = new PNG({ width, height });
  const pixels = pixelmatch(before.data, after.data, marks.data, width, height, { threshold: COLOUR_TOLERANCE });
  return { changed: pixels / (width * height), marked: PNG.sync.write(marks) };
};

const { accepted, taken } = workerData as { accepted: Uint8Array; taken: Uint8Array };
parentPort?.postMessage(compare(accepted, taken));
