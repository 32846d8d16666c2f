import { randomUUID } from 'node:crypto';

import { afterAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { grantRights } from '../../../testkit/programs/redis/grant-rights.ts';
import { RedisProofIds } from '../src/proof-ids/redis/redis-proof-ids.js';

const opened: RedisProofIds[] = [];
const refusals: string[] = [];
const replica = (url = process.env['REDIS_URL'] ?? '') => {
  const ids = new RedisProofIds({ url }, (reason) => refusals.push(reason));
  opened.push(ids);
  return ids;
};

afterAll(() => opened.forEach((ids) => ids.close()));

describe('the id of a proof', () => {
  it('counts once over all replicas', async () => {
    const replicas = [replica(), replica()] as const;
    const id = randomUUID();
    // Until the connections are open, each replica uses its own memory.
    await eventually(() => reaches(replicas));
    expect(await Promise.all(replicas.map((each) => each.isNew(id, 0)))).toEqual(expect.arrayContaining([true, false]));
  });

  it('counts once over all replicas with the rights that device-api has (deploy/rights/redis.acl)', async () => {
    const given = process.env['REDIS_URL'] ?? '';
    const url = Object.assign(new URL(given), { username: 'device-api', password: randomUUID() });
    await grantRights(given, url.password);
    const replicas = [replica(url.href), replica(url.href)] as const;
    await eventually(() => reaches(replicas));
    expect(refusals).toEqual([]);
  });

  it('counts for a replica alone when its account lacks the right, and the log says so once', async () => {
    const given = process.env['REDIS_URL'] ?? '';
    const url = Object.assign(new URL(given), { username: 'login-bff', password: randomUUID() });
    await grantRights(given, url.password);
    const alone = replica(url.href);
    const asked = async (): Promise<boolean> => {
      expect(await alone.isNew(randomUUID(), 0)).toBe(true);
      return refusals.length > 0;
    };
    await eventually(asked);
    await asked();
    expect(refusals).toEqual(['the user does not have the rights that this service needs']);
  });

  it('counts once for a replica while Redis is unavailable', async () => {
    const alone = replica('redis://127.0.0.1:1');
    expect([await alone.isNew('a', 0), await alone.isNew('a', 0)]).toEqual([true, false]);
  });
});

/** Whether both are connected: an id used at one is known to the other. */
const reaches = async ([one, other]: readonly [RedisProofIds, RedisProofIds]): Promise<boolean> => {
  const probe = randomUUID();
  await one.isNew(probe, 0);
  return !(await other.isNew(probe, 0));
};
