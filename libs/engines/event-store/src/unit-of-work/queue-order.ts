import { categoryOf, type StreamName } from '../event-store.js';

/** Compares two streams: negative where the queue of the first is taken first. */
export type QueueOrder = (one: StreamName, other: StreamName) => number;

/**
 * The one order in which every work takes the queues of its streams: those of these categories first, all others by name. Works that wait only for later streams never
 * wait for one another in a circle, whatever the order is.
 */
export const queueOrder = (categories: readonly string[]): QueueOrder => {
  const placeOf = (stream: StreamName): number => {
    const place = categories.indexOf(categoryOf(stream));
    return place < 0 ? categories.length : place;
  };
  return (one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : Number(one > other));
};
