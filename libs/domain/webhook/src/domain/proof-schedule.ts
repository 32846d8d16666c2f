const MINUTE = 60_000;

/** The tries at an address: milliseconds after it was made or changed. The receiver gets its secret meanwhile (specification/webhooks.md#confirmation). */
const TRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE] as const;

/** The shortest wait after a try, in milliseconds. */
const SHORTEST_WAIT = 10_000;

/** When an address is tried first that was made or changed at `changedAt`; not before `now`. Epoch milliseconds. */
export const firstProofAt = (changedAt: number, now: number): number => Math.max(changedAt + TRIES[0], now);

/** When it is tried again after so many tries, the last of which ended at `now`; undefined after the last one. Epoch milliseconds. */
export const nextProofAt = (changedAt: number, tries: number, now: number): number | undefined => {
  const wait = TRIES[tries];
  return wait === undefined ? undefined : Math.max(changedAt + wait, now + SHORTEST_WAIT);
};
