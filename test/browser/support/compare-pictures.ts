import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The part of a picture that may change before a test fails, and the pixels that may change in one region of it. A short word is more. */
const MOST_CHANGED = 0.0002;
const MOST_IN_A_REGION = 8;

/** How often a screen is pictured before a difference counts. */
const PICTURES_OF_A_SCREEN = 8;

export interface Comparison {
  /** The part of the pixels that differ, 0 to 1. Pictures of different size differ wholly. */
  readonly changed: number;
  /** The most pixels that differ in one region: on a wide picture a missing word is a small part of the whole. */
  readonly densest: number;
  /** The left and the upper edge of that region, in pixels of the picture. */
  readonly left?: number;
  readonly top?: number;
  /** A PNG that marks the pixels. */
  readonly marked?: Uint8Array;
}

/** Compares two PNGs. Differences that only smooth edges do not count. */
export const comparePictures = async (accepted: Buffer, taken: Buffer): Promise<Comparison> => {
  if (accepted.equals(taken)) return { changed: 0, densest: 0 };
  const worker = new Worker(new URL('./picture-comparer.ts', import.meta.url), { workerData: { accepted, taken }, execArgv: [] });
  const [comparison] = (await once(worker, 'message')) as [Comparison];
  await worker.terminate();
  return comparison;
};

/** Whether a person would see no difference. */
export const looksTheSame = ({ changed, densest }: Comparison): boolean => changed <= MOST_CHANGED && densest <= MOST_IN_A_REGION;

/**
 * Compares a screen with its accepted picture. A busy machine draws a screen in several steps, so a picture that differs is taken again:
 * a step passes, and what a change of the page has left stays different.
 *
 * @param take takes a picture some frames after the one before
 */
export const compareScreen = async (
  accepted: Buffer,
  take: () => Promise<Buffer>,
): Promise<{ readonly taken: Buffer; readonly comparison: Comparison }> => {
  for (let picture = 1; ; picture++) {
    const taken = await take();
    const comparison = await comparePictures(accepted, taken);
    if (looksTheSame(comparison) || picture === PICTURES_OF_A_SCREEN) return { taken, comparison };
  }
};
