export { MemoryRateLimits } from './memory/memory-rate-limits.js';
export { beyondLimit, RateLimited } from './rate-limited.js';
export { type Limit, RateLimits } from './rate-limits.js';
export { RedisRateLimits } from './redis/redis-rate-limits.js';
export { type Run } from './rate-limits.js';
