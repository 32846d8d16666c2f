import type { Retention } from './event-store.js';

/** What every adapter checks before it sets a retention. Throws a TypeError for what is not a whole number from 1 on. */
export const checkRetention = (retention: Retention): void => {
  for (const name of ['maxAge', 'maxCount'] as const) {
    const value = retention[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) throw new TypeError(`${name} is a whole number from 1 on, not ${value}`);
  }
};
