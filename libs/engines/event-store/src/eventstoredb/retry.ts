import { setTimeout as wait } from 'node:timers/promises';

import { type Randomness, TimedOut } from '#kernel';

/** Resolves after so many milliseconds, or at once when the signal is given. */
export type Pause = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const pause: Pause = async (milliseconds, signal) => {
  await wait(milliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);
};

/** The work's outcome, or {@link TimedOut} when it shows no sign of life for so many milliseconds. */
export const withinSilence = async <Result>(milliseconds: number, work: (alive: () => void) => Promise<Result>): Promise<Result> => {
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(() => silent.reject(new TimedOut(milliseconds)), milliseconds);
  try {
    return await Promise.race([work(() => timer.refresh()), silent.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Milliseconds before the next try: doubled with each failure up to the longest, of which a random half is taken off. */
export const backoff = (failures: number, shortest: number, longest: number, randomness: Randomness): number => {
  const full = Math.min(longest, shortest * 2 ** Math.min(failures - 1, 30));
  return full * (0.5 + randomness.bytes(2).readUInt16BE() / 0x2_0000);
};
