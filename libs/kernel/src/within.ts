/** Work did not end within its time limit. It may still go on. */
export class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`no answer in ${Math.round(milliseconds)} ms`);
  }
}

/** The promise's outcome, or {@link TimedOut} after so many milliseconds; a later outcome is dropped. */
export const within = async <Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new TimedOut(milliseconds)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
