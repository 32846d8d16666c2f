/** Where Redis listens for the tests; undefined at a desk without one. */
export const redisUrl = (): string | undefined => process.env['REDIS_URL'];
