import { describe } from '@jest/globals';

import { statusCacheContract } from '#testkit/session/status/status-cache.contract';
import { MemoryStatusCache } from '#testkit/session/status/memory-status-cache';

describe('the status cache of the tests', () => {
  statusCacheContract({
    open: async () => {
      const cache = new MemoryStatusCache();
      return [cache, cache];
    },
  });
});
