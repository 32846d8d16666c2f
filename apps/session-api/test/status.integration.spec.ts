import { randomUUID } from 'node:crypto';

import { describe } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';
import { RedisStatusCache } from '#domain/session';
import { SilentLog } from '#telemetry';

import { statusContract } from './status.contract.js';

const url = process.env['REDIS_URL'];

(url === undefined ? describe.skip : describe)('given two replicas with a cache of statuses on Redis', () => {
  statusContract(async (clock) => {
    const cache = new RedisStatusCache({ url: url!, clock, log: new SilentLog(), history: () => '' });
    const answers = () =>
      cache.get(randomUUID() as never).then(
        () => true,
        () => false,
      );
    await eventually(answers, { what: 'the cache answers' });
    return cache;
  });
});
