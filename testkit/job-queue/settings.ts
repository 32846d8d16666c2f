/** The Redis that the tests use; undefined without one. */
export const redisUrl = (): string | undefined => process.env['REDIS_URL'];
