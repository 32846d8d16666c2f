import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { SubscribeOptions } from '#engines/event-store';
import { eventually } from '#testkit/kernel/eventually';
import { DeadLetterStream } from '#engines/message-bus';

import { STEPS_PER_HORIZON } from '../src/relay.decider.js';
import { cancelled, consumed, created, HORIZON, LEASE, refused, RelayRig } from './relay-rig.js';
import type { TopicInMemory } from './topic-in-memory.js';

let rig: RelayRig;
let topic: TopicInMemory;

beforeEach(() => {
  rig = new RelayRig();
  ({ topic } = rig);
});
afterEach(() => rig.close());

const isRelayed = async (id: string): Promise<boolean> => (await rig.relayedPosition()) >= (await rig.positionOf(id));

/** Sessions on the topic, in a checkpoint. */
const relayed = async (count: number): Promise<string[]> => {
  const ids = await rig.sessions(count);
  await eventually(() => isRelayed(ids.at(-1)!));
  return ids;
};

/** The refill hangs at its first batch, until it is released. */
const hangingRefill = () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let isFirst = true;
  topic.interrupt = async (moment) => {
    if (moment === 'after' || !isFirst) return;
    isFirst = false;
    reached.resolve();
    await held.promise;
  };
  return { reached: reached.promise, release: held.resolve };
};

const isFull = async (): Promise<boolean> => (await rig.checkpoint()).refill === undefined;

describe('a lost topic', () => {
  it('is filled again from the horizon, not with what is older', async () => {
    rig.start();
    const old = await relayed(2);
    const at = rig.clock.now() + HORIZON / STEPS_PER_HORIZON;
    rig.clock.advance(HORIZON / STEPS_PER_HORIZON);
    await eventually(async () => (await rig.checkpoint()).former?.at(-1)?.at === at);
    rig.clock.advance(HORIZON);
    const recent = await relayed(2);
    topic.lose();
    await topic.until(6);
    await eventually(isFull);
    expect(consumed(topic.messages)).toEqual(new Map(recent.map((id) => [id, 2])));
    const [next] = await relayed(1);
    expect(topic.messages.filter((name) => old.some((id) => name.startsWith(id)))).toEqual([]);
    expect(consumed(topic.messages).get(next!)).toBe(2);
  });

  it('takes live events while its refill hangs', async () => {
    rig.start();
    const before = await relayed(2);
    const refill = hangingRefill();
    topic.lose();
    await refill.reached;
    const live = await relayed(2);
    expect(consumed(topic.messages)).toEqual(new Map(live.map((id) => [id, 2])));
    refill.release();
    await eventually(isFull);
    expect(consumed(topic.messages)).toEqual(new Map([...live, ...before].map((id) => [id, 2])));
  });

  it('lets live events go first: the refill waits for their batch', async () => {
    const ids = await rig.sessions(2);
    const relay = rig.start();
    await topic.until(6);
    await relay.stop();
    topic.lose();
    const held = Promise.withResolvers<void>();
    const underWay = Promise.withResolvers<void>();
    const [live] = (await rig.sessions(1)) as [string];
    let isHeld = false;
    let refilledMeanwhile = 0;
    topic.interrupt = async (moment, messages) => {
      if (moment === 'after') return;
      if (messages.every(({ subject }) => ids.includes(subject))) refilledMeanwhile += isHeld ? 1 : 0;
      else if (messages.some(({ subject }) => subject === live)) {
        isHeld = true;
        underWay.resolve();
        await held.promise;
        isHeld = false;
      }
    };
    const subscribe = rig.store.subscribe.bind(rig.store);
    let handedOver = 0;
    // The refill reads its events while the live batch hangs.
    const delayed = async function* (options: SubscribeOptions) {
      const isRefill = !options.categories.includes('relay');
      if (isRefill) await underWay.promise;
      for await (const item of subscribe(options)) {
        if (isRefill) handedOver += 1;
        yield item;
      }
    };
    jest.spyOn(rig.store, 'subscribe').mockImplementation(delayed as typeof rig.store.subscribe);
    rig.start();
    await eventually(() => handedOver >= 6);
    held.resolve();
    await eventually(isFull);
    await eventually(() => isRelayed(live));
    expect(refilledMeanwhile).toBe(0);
    expect(consumed(topic.messages)).toEqual(new Map([live, ...ids].map((id) => [id, 2])));
  });

  it('gets the earlier events of a session before its first live one, so that a consumer without memory skips none', async () => {
    rig.start();
    const id = rig.randomness.uuid<string>();
    await rig.append(id, created, refused);
    await eventually(() => isRelayed(id));
    const refill = hangingRefill();
    topic.lose();
    await refill.reached;
    await rig.append(id, cancelled, { type: 'CodeRedeemed', data: { at: 3_000 } });
    await topic.until(4);
    expect(topic.messages).toEqual([0, 1, 2, 3].map((revision) => `${id}/${revision}`));
    refill.release();
    await eventually(isFull);
    expect(consumed(topic.messages)).toEqual(new Map([[id, 3]]));
  });

  it('is not created again while a publication of the time before is under way, which would put a later event on it first', async () => {
    rig.start();
    const id = rig.randomness.uuid<string>();
    await rig.append(id, created);
    await eventually(() => isRelayed(id));
    const publication = hangingRefill();
    await rig.append(id, refused);
    await publication.reached;
    topic.lose();
    const looks = topic.looks;
    await eventually(() => topic.looks >= looks + 2);
    publication.release();
    await eventually(async () => (await rig.metrics.relayRefills.get()).values[0]!.value === 1 && isFull());
    await topic.until(2);
    expect(topic.messages[0]).toBe(`${id}/0`);
    expect(consumed(topic.messages)).toEqual(new Map([[id, 1]]));
  });

  it('gets nothing from the refill that the live events have brought', async () => {
    rig.start();
    const ids = await relayed(200); // more than one batch
    const refill = hangingRefill();
    const late = ids.at(-1)!;
    topic.lose();
    await refill.reached;
    await rig.append(late, { type: 'CodeRedeemed', data: { at: 3_000 } });
    await topic.until(4);
    refill.release();
    await eventually(isFull);
    expect(topic.messages.filter((name) => name.startsWith(late))).toHaveLength(4);
    expect(consumed(topic.messages).size).toBe(200);
  });

  it('is filled on from the checkpoint of the refill after a crash', async () => {
    const first = rig.start();
    const ids = await relayed(200);
    await first.stop();
    let isDead = false;
    let batches = 0;
    topic.interrupt = async (moment) => {
      if (isDead || moment === 'after' || batches++ === 0) return;
      await eventually(async () => BigInt((await rig.checkpoint()).refill?.position ?? 0) > 0n);
      isDead = true;
      await new Promise<never>(() => undefined);
    };
    topic.lose();
    rig.startToDie(() => isDead);
    await eventually(() => isDead);
    expect(topic.messages.length).toBeGreaterThan(0);
    expect(topic.messages.length).toBeLessThan(600);
    rig.clock.advance(LEASE);
    rig.start();
    await eventually(isFull);
    expect(topic.messages).toHaveLength(600);
    expect(consumed(topic.messages)).toEqual(new Map(ids.map((id) => [id, 2])));
  });

  it('is filled from the horizon once more when it is lost during the refill', async () => {
    rig.start();
    const ids = await relayed(2);
    const refill = hangingRefill();
    topic.lose();
    await refill.reached;
    const live = await relayed(1);
    topic.lose();
    refill.release();
    await eventually(async () => topic.messages.length >= 9 && (await isFull()));
    expect(consumed(topic.messages)).toEqual(new Map([...ids, ...live].map((id) => [id, 2])));
  });

  it('puts an event of an unknown type to the dead letters once', async () => {
    rig.start();
    const id = rig.randomness.uuid<string>();
    await rig.append(id, created, { type: 'SessionFrozen', data: { at: 3_000 } });
    await eventually(() => isRelayed(id));
    topic.lose();
    await topic.until(1);
    await eventually(isFull);
    const letters = new DeadLetterStream(rig.store, rig.clock, { topic: 'sessions.events.v1', group: 'event-relay' });
    expect(await letters.all()).toHaveLength(1);
  });

  it('tells how much history is left', async () => {
    const left = async () => (await rig.metrics.relayRefillLeft.get()).values[0]!.value;
    rig.start();
    await relayed(400);
    let most = 0;
    topic.interrupt = async () => void (most = Math.max(most, await left()));
    topic.lose();
    await topic.until(1_200);
    await eventually(isFull);
    expect(most).toBeGreaterThan(0);
    expect(await left()).toBe(0);
  });
});
