const DAY = 86_400;

/**
 * When a token ends that is made now and valid for so many days, epoch seconds: the midnight (UTC) after them. With `FOUR_EYES` two persons send the same
 * request within 15 minutes, so the end does not depend on the second in which a person sends it.
 *
 * @param now epoch milliseconds
 */
export const tokenEnd = (now: number, days: number): number => (Math.floor(now / 1000 / DAY) + 1 + days) * DAY;
