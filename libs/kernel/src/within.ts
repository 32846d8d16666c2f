/** Work did not end within its time limit. It may still go on. */
export class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`no answer in ${Math.round(milliseconds)} ms`);
  }
}

/** The promise's outcome, or {@link TimedOut} after so many milliseconds; a later outcome is dropped. */
export const within = <Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> => withinSilence(milliseconds, () => promise);

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
