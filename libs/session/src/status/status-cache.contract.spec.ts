import { describe } from '@jest/globals';

import { statusCacheContract } from './status-cache.contract.js';
import { MemoryStatusCache } from './testing/memory-status-cache.js';

describe('the status cache of the tests', () => {
  statusCacheContract({
    open: async () => {
      const cache = new MemoryStatusCache();
      return [cache, cache];
    },
  });
});
