import { describe, expect, it } from '@jest/globals';

import { redisAddresses } from './redis-addresses.js';

describe('the addresses in REDIS_URL', () => {
  it.each([
    ['redis://host:6379', ['redis://host:6379']],
    ['rediss://user:a,b@host', ['rediss://user:a,b@host']],
    ['rediss://user:pass@a:6379,[fd00::1]:6380,c', ['rediss://user:pass@a:6379', 'rediss://user:pass@[fd00::1]:6380', 'rediss://user:pass@c']],
    ['redis://a:1,b:2/0', ['redis://a:1/0', 'redis://b:2/0']],
    ['host:6379', ['host:6379']],
  ])('of %s are one for each host, each with the credentials', (url, addresses) => {
    expect(redisAddresses(url)).toEqual(addresses);
  });
});
