import { describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';

import { consumed, LEASE, NEVER } from './relay-rig.js';
import { rig, topic, useRelays } from './relay.fixture.js';

useRelays();

describe('two relays', () => {
  it('publish each event once: one is active, the other on standby', async () => {
    rig.start();
    rig.start();
    await rig.sessions(10);
    await topic.until(30);
    expect(topic.messages).toHaveLength(30);
  });

  it('are both ready again after the store was unavailable', async () => {
    const active = rig.start();
    await rig.sessions(1);
    await topic.until(3);
    const standby = rig.start();
    const unavailable = jest.spyOn(rig.store, 'read').mockRejectedValue(new EventStoreUnavailable('the store is unavailable'));
    await eventually(async () =>
      standby.relay.check().then(
        () => false,
        () => true,
      ),
    );
    unavailable.mockRestore();
    for (const { relay } of [active, standby])
      await eventually(async () =>
        relay.check().then(
          () => true,
          () => false,
        ),
      );
  });

  it('hand over at once when the active one is stopped', async () => {
    const first = rig.start();
    await rig.sessions(1);
    await topic.until(3);
    const second = rig.start();
    await first.stop();
    await rig.sessions(1);
    await topic.until(6);
    await expect(second.relay.check()).resolves.toBeUndefined();
  });

  it('hand over when the active one is silent for the time of its lease; it stops when it notices', async () => {
    const frozen = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let calls = 0;
    topic.interrupt = async (moment) => {
      calls += 1;
      if (moment === 'after' || calls > 1) return;
      reached.resolve();
      await frozen.promise;
    };
    const stale = rig.start(rig.newRelay(rig.store, { checkpoint: NEVER }));
    await rig.sessions(1);
    await reached.promise;
    rig.clock.advance(LEASE);
    rig.start();
    await rig.sessions(1);
    await eventually(() => consumed(topic.messages).size === 2);
    const position = await rig.relayedPosition();
    frozen.resolve(); // it publishes its batch too late: a repetition
    await stale.stop();
    expect(await rig.relayedPosition()).toBe(position);
    await rig.sessions(1);
    await eventually(() => consumed(topic.messages).size === 3);
  });
});
