import type { Retention } from './event-store.js';

/** The check of every adapter before it truncates a stream. Throws a TypeError unless the revision is a whole number from 0 on. */
export const checkRevision = (revision: number): void => {
  if (!(Number.isSafeInteger(revision) && revision >= 0)) throw new TypeError(`a revision is a whole number from 0 on, not ${revision}`);
};

/** The check of every adapter before it sets a retention. Throws a TypeError unless each value is a whole number from 1 on. */
export const checkRetention = (retention: Retention): void => {
  for (const name of ['maxAge', 'maxCount'] as const) {
    const value = retention[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) throw new TypeError(`${name} is a whole number from 1 on, not ${value}`);
  }
};
