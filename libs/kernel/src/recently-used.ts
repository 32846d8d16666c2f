import { LRUCache } from 'lru-cache';

/**
 * At most so many entries; the one that was used longest ago makes place for a new one. It takes memory and time for the entries that it holds:
 * with `max`, the cache of the package makes a place for each possible entry at once, which takes milliseconds and megabytes for each cache.
 */
export class RecentlyUsed<Key extends NonNullable<unknown>, Value extends NonNullable<unknown>> extends LRUCache<Key, Value> {
  constructor(most: number) {
    super({ maxSize: most, sizeCalculation: () => 1 });
  }
}
