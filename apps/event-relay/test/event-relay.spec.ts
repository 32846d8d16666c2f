import { describe, expect, it, jest } from '@jest/globals';

import { NO_STREAM, streamName } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';
import { DeadLetterStream } from '#engines/message-bus';
import { enveloped } from '#testkit/session/enveloped';

import { cancelled, consumed, created, LEASE, NEVER, refused } from './relay-rig.js';
import { rig, topic, metrics, useRelays } from './relay.fixture.js';

useRelays();

describe('a relay', () => {
  it('publishes stored events, then new ones, each session in order and each event once', async () => {
    const before = await rig.sessions(20);
    rig.start();
    await topic.until(60);
    const after = await rig.sessions(5);
    await topic.until(75);
    expect(topic.messages).toHaveLength(75);
    expect(consumed(topic.messages)).toEqual(new Map([...before, ...after].map((id) => [id, 2])));
  });

  it('does not read sessions: each event has all that its message needs', async () => {
    const subscribed = jest.spyOn(rig.store, 'subscribe');
    rig.start();
    await eventually(() => subscribed.mock.calls.length > 0);
    const read = jest.spyOn(rig.store, 'read');
    const SESSIONS = 50;
    for (let count = 0; count < SESSIONS; count += 1) {
      await rig.store.append(streamName('session', rig.randomness.uuid()), NO_STREAM, enveloped([created, refused, cancelled]));
    }
    await topic.until(3 * SESSIONS);
    expect(read.mock.calls.filter(([stream]) => stream.startsWith('session-'))).toEqual([]);
  });

  it('moves its checkpoint only after the acknowledgement of the broker', async () => {
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    topic.interrupt = async (moment) => {
      if (moment === 'before') return;
      reached.resolve();
      await held.promise;
    };
    const [id] = (await rig.sessions(1)) as [string];
    rig.start();
    await reached.promise;
    expect(await rig.relayedPosition()).toBe(0n);
    held.resolve();
    await eventually(async () => (await rig.relayedPosition()) >= (await rig.positionOf(id)));
  });

  it('appends its checkpoint by time, however many events and batches there are, and at its end', async () => {
    const appended = jest.spyOn(rig.store, 'append');
    const ofRelay = () => appended.mock.calls.filter(([stream]) => stream.startsWith('relay-')).length;
    const relay = rig.start(rig.newRelay(rig.store, { checkpoint: NEVER }));
    for (let batch = 1; batch <= 20; batch += 1) {
      await rig.sessions(5);
      await topic.until(batch * 15);
    }
    expect(ofRelay()).toBe(1); // the lease
    await relay.stop();
    expect(ofRelay()).toBe(2);
    rig.start();
    await rig.sessions(1);
    await topic.until(303);
    expect(topic.messages).toHaveLength(303);
  });

  it('publishes the events of a busy time together: publications begin no closer than its pace', async () => {
    const PACE = 50;
    const began: number[] = [];
    topic.interrupt = async (moment) => void (moment === 'before' && began.push(performance.now()));
    rig.start(rig.newRelay(rig.store, { pace: PACE }));
    await rig.sessions(30);
    await topic.until(90);
    const gaps = began.slice(1).map((at, index) => at - began[index]!);
    // A timer may fire a millisecond early.
    expect(gaps.filter((gap) => gap < PACE - 1)).toEqual([]);
    expect(topic.messages).toHaveLength(90);
  });

  it('repeats after a crash what it published since its checkpoint, and skips nothing', async () => {
    let isDead = false;
    const ids = await rig.sessions(3);
    rig.startToDie(() => isDead);
    await topic.until(9);
    await eventually(async () => (await rig.relayedPosition()) >= (await rig.positionOf(ids[2]!)));
    isDead = true;
    const later = await rig.sessions(2);
    await topic.until(15);
    rig.clock.advance(LEASE);
    rig.start();
    await topic.until(21);
    expect(topic.messages.slice(15)).toEqual(topic.messages.slice(9, 15));
    expect(consumed(topic.messages)).toEqual(new Map([...ids, ...later].map((id) => [id, 2])));
  });

  it('continues after a stop at its checkpoint', async () => {
    await rig.sessions(2);
    const first = rig.start();
    await topic.until(6);
    await first.stop();
    await rig.sessions(1);
    rig.start();
    await topic.until(9);
    expect(topic.messages).toHaveLength(9);
  });

  it('lags while the broker is unavailable, keeps its lease, and catches up', async () => {
    const { relay } = rig.start();
    await rig.sessions(1);
    await topic.until(3);
    topic.unavailable = true;
    await rig.sessions(2);
    await eventually(async () => (await metrics.relayLag.get()).values[0]!.value > 0);
    await expect(relay.check()).rejects.toThrow('the broker is unavailable');
    topic.unavailable = false;
    await topic.until(9);
    await eventually(async () => (await metrics.relayLag.get()).values[0]!.value === 0);
    await expect(relay.check()).resolves.toBeUndefined();
    expect(consumed(topic.messages).size).toBe(3);
  });

  it('counts the events that the topic lacks while it lags', async () => {
    const behind = async () => (await metrics.relayLagEvents.get()).values[0]!.value;
    rig.start(rig.newRelay(rig.store, { count: 5 }));
    await rig.sessions(1);
    await topic.until(3);
    topic.unavailable = true;
    await rig.sessions(2);
    await eventually(async () => (await behind()) === 6);
    topic.unavailable = false;
    await topic.until(9);
    await eventually(async () => (await behind()) === 0);
  });

  it('reports a lag while the store delivers nothing, and none while nothing happens', async () => {
    const lag = async () => (await metrics.relayLag.get()).values[0]!.value;
    const first = rig.start();
    await rig.sessions(1);
    await topic.until(3);
    const before = await rig.relayedPosition();
    await eventually(async () => (await rig.relayedPosition()) > before); // its own checkpoints move it
    rig.clock.advance(60_000);
    await eventually(async () => (await lag()) === 0);
    jest.spyOn(rig.store, 'subscribe').mockImplementation(async function* ({ signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await first.stop();
    rig.start();
    await eventually(async () => (await metrics.relayActive.get()).values[0]!.value === 1);
    rig.clock.advance(60_000);
    await eventually(async () => (await lag()) >= 60);
  });

  it('publishes everything again to a lost topic, with and without new events', async () => {
    rig.start();
    const ids = await rig.sessions(3);
    await topic.until(9);
    await eventually(async () => (await rig.relayedPosition()) >= (await rig.positionOf(ids[2]!)));
    topic.lose();
    await topic.until(9);
    expect(consumed(topic.messages)).toEqual(new Map(ids.map((id) => [id, 2])));
    topic.lose();
    await rig.sessions(1);
    await eventually(() => topic.messages.length >= 12 && consumed(topic.messages).size === 4);
    expect((await metrics.relayRefills.get()).values[0]!.value).toBe(2);
  });

  it('notices at the first acknowledgement that another process has created the lost topic again', async () => {
    const ids = await rig.sessions(3);
    const first = rig.start();
    await topic.until(9);
    await first.stop();
    topic.lose();
    await topic.prepare('any', 'create');
    jest.spyOn(topic, 'reach').mockResolvedValue({ 0: '9', 1: '9', 2: '9' }); // the check before publishing finds nothing
    await rig.append(ids[0]!, { type: 'CodeRedeemed', data: { at: 3_000 } });
    rig.start();
    await eventually(() => topic.messages.length >= 10 && new Set(topic.messages).size === 10);
  });

  it('puts events of an unknown type to the dead letters and continues', async () => {
    const [id] = (await rig.sessions(1)) as [string];
    await rig.append(id, { type: 'SessionFrozen', data: { at: 3_000 } });
    await rig.sessions(1);
    rig.start();
    await topic.until(6);
    expect(topic.messages).not.toContain(`${id}/3`);
    const letters = await new DeadLetterStream(rig.store, rig.clock, { topic: 'sessions.events.v1', group: 'event-relay' }).all();
    const letter = { reason: 'events of type SessionFrozen cannot be published', at: rig.clock.now(), origin: `session-${id}, revision 3` };
    expect(letters).toEqual([{ ...letter, source: { subject: id, esrevision: 3 } }]);
  });

  it('skips sessions that were erased before it published them', async () => {
    const [erased] = (await rig.sessions(1)) as [string];
    await rig.store.tombstone(streamName('session', erased));
    const [kept] = (await rig.sessions(1)) as [string];
    rig.start();
    await topic.until(3);
    expect([...consumed(topic.messages).keys()]).toEqual([kept]);
  });
});

describe('a relay that dies', () => {
  const never = () => new Promise<never>(() => undefined);

  it.each(['before' as const, 'after' as const])('%s the broker stores a batch skips no event, for each batch', async (moment) => {
    const ids: string[] = [];
    for (let death = 0; death < 8; death += 1) {
      let hangs = false;
      let publications = 0;
      topic.interrupt = async (now) => {
        if (now !== moment || publications++ < death % 3) return;
        hangs = true;
        await never();
      };
      rig.startToDie(() => hangs);
      while (!hangs) ids.push(...(await rig.sessions(1)));
      rig.clock.advance(LEASE);
    }
    topic.interrupt = async () => undefined;
    rig.start();
    await eventually(() => consumed(topic.messages).size === ids.length && [...consumed(topic.messages).values()].every((last) => last === 2));
  });
});
