/** The alarm of a subscription that knows no event of the store, and whose consumer begins anew then. */
export const anewAlarm = (categories: readonly string[]): string =>
  `the store has no event and no mark that the subscription to ${categories.join(', ')} knows: it was restored from another copy, or from one that is older than all of them. ` +
  'The subscription begins anew from the start of the store';

/** The line for the log of a subscription that goes on after a mark. */
export const resumedLine = (categories: readonly string[]): string =>
  `the store lacks the event to go on after of ${categories.join(', ')}: it was restored from an older copy. The subscription goes on after the last mark that the store has`;
