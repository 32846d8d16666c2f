import { expect, it, jest } from '@jest/globals';

import { SqliteEventStore, UnitOfWork } from '#engines/event-store';
import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { Lease } from '../src/lease.js';
import { LeaseHeld } from '../src/relay.decider.js';
import { HORIZON, LEASE } from './relay-rig.js';

it('a standby reads the store once for each try, and takes the lease when its time is over', async () => {
  const clock = new FixedClock();
  const store = new SqliteEventStore({ path: ':memory:', clock });
  const [active, standby] = [1, 2].map(
    () => new Lease(new UnitOfWork(store, clock), clock, new SystemRandomness(), 'topic', { lease: LEASE, horizon: HORIZON }),
  ) as [Lease, Lease];
  await active.take();
  const read = jest.spyOn(store, 'read');
  for (let tries = 1; tries <= 3; tries++) {
    await expect(standby.take()).rejects.toBeInstanceOf(LeaseHeld);
    expect(read).toHaveBeenCalledTimes(tries);
  }
  clock.advance(LEASE);
  await standby.take();
  expect([standby.isCurrent, active.isCurrent]).toEqual([true, false]);
  await store.close();
});
