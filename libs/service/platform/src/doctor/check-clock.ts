/** The tolerated difference of clocks, in milliseconds. Phones' proofs, time-stamps and deadlines depend on the clock. */
const TOLERANCE = 5_000;

/** Why the clock of this machine cannot be trusted, compared with that of another one. Both are epoch milliseconds; a header `Date` has whole seconds. */
export const clockProblem = (theirs: number, ours: number): string | undefined => {
  const difference = Math.round((ours - theirs) / 1000);
  return Math.abs(ours - theirs) <= TOLERANCE
    ? undefined
    : `the clock there and the clock of this machine differ by ${Math.abs(difference)} seconds. Synchronise both (timedatectl set-ntp true).`;
};
