/**
 * The alarm of a subscription whose kept position lies beyond the store's end, and which knows no event of the store. The events appended between the restoration and
 * the subscription are not handed over.
 */
export const aheadAlarm = (categories: readonly string[]): string =>
  `the store ends before the position to go on after of ${categories.join(', ')}: it was restored from an older copy. ` +
  'The subscription goes on with new events only; start the services again, so that they read the events in between';
