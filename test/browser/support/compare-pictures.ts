import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The part of a picture that may change before a test fails. One changed word is more. */
export const MOST_CHANGED = 0.0002;

export interface Comparison {
  /** The part of the pixels that differ, 0 to 1. Pictures of different size differ wholly. */
  readonly changed: number;
  /** A PNG that marks the pixels. */
  readonly marked?: Uint8Array;
}

/** Compares two PNGs. Differences that only smooth edges do not count. */
export const comparePictures = async (accepted: Buffer, taken: Buffer): Promise<Comparison> => {
  if (accepted.equals(taken)) return { changed: 0 };
  const worker = new Worker(new URL('./picture-comparer.ts', import.meta.url), { workerData: { accepted, taken }, execArgv: [] });
  const [comparison] = (await once(worker, 'message')) as [Comparison];
  await worker.terminate();
  return comparison;
};
