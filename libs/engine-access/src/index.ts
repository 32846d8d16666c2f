export { explainRefusal } from './explain-refusal.js';
export { MountedFile, UnreadableFile } from './mounted-file.js';
export { connectRedis, type RedisAccess, redisOptions } from './redis/redis-access.js';
export { RefusalReport } from './refusal-report.js';
export { tlsOptions } from './tls-options.js';
