import { describe } from '@jest/globals';

import { MemoryRateLimits } from './memory-rate-limits.js';
import { rateLimitsContract } from '../rate-limits.contract.js';

describe('MemoryRateLimits', () => rateLimitsContract(async () => new MemoryRateLimits()));
