const DAY = 86_400_000;

/** How long the log of an endpoint keeps the events of its deliveries, in milliseconds. */
export const LOG_RETENTION = 30 * DAY;

/**
 * A session event that happened longer ago than this is not announced, in milliseconds. The bus may repeat its whole history (a lost offset, a
 * topic filled again), and only the log tells a repeated event from a new one. A day less than its retention, because clocks differ.
 */
const ANNOUNCED_FOR = LOG_RETENTION - DAY;

/** Whether an event is too old to be announced. Both times in epoch milliseconds. */
export const isTooOld = (happenedAt: number, now: number): boolean => happenedAt < now - ANNOUNCED_FOR;
