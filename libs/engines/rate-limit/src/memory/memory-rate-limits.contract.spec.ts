import { describe } from '@jest/globals';

import { MemoryRateLimits } from './memory-rate-limits.js';
import { rateLimitsContract } from '#testkit/rate-limit/rate-limits.contract';

describe('MemoryRateLimits', () => rateLimitsContract(async () => new MemoryRateLimits()));
