export { explainRefusal } from './explain-refusal.js';
export { MountedFile, UnreadableFile } from './mounted-file.js';
export { connectRedis, connectServer, type RedisAccess, type RedisClient, redisOptions } from './redis/redis-access.js';
export { nameOf, nodeOf } from './redis/redis-cluster.js';
export { RefusalReport } from './refusal-report.js';
export { tlsOptions } from './tls-options.js';
