import { categoryOf, type StreamName } from '../event-store.js';

/** The categories in the order in which a work takes their queues, the ones that most works meet first. All others come after them. */
const ORDER = ['session', 'device', 'identity', 'client'];

const placeOf = (stream: StreamName): number => {
  const place = ORDER.indexOf(categoryOf(stream));
  return place < 0 ? ORDER.length : place;
};

/** Sorts streams into the one order in which every work takes their queues. Works that wait only for later streams never wait for one another in a circle. */
export const inQueueOrder = (a: StreamName, b: StreamName): number => placeOf(a) - placeOf(b) || (a < b ? -1 : Number(a > b));
