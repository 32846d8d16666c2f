import { expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import type { Assignment } from '#engines/message-bus';
import { order } from '../thing-channel.js';
import { collector, type Fixture } from './fixture.js';

/** Channels: messages that belong to no stored event. */
export const sendingContract = (fixture: Fixture): void => {
  const types = ['thing.ordered'];
  /** The ids without repetitions, since a bus may hand a message over again. */
  const ids = (all: ReturnType<typeof collector>): string[] => [...new Set(all.messages.map(({ id }) => id))].toSorted();

  it('hands over every message as it was sent, also a repeated one', async () => {
    const all = collector();
    let share: Assignment | undefined;
    const { bus } = await fixture.consume(all.handler, { topic: fixture.channel, types, assigned: (assignment) => void (share = assignment) });
    await bus.send(fixture.channel, [order('a', 1), order('a', 2), order('b', 1)]);
    await bus.send(fixture.channel, [order('a', 1)]);
    await eventually(() => ids(all).length === 3 && all.messages.filter(({ id }) => id === 'a-1').length >= 2, { what: () => ids(all).join() });
    expect(ids(all)).toEqual(['a-1', 'a-2', 'b-1']);
    expect(all.messages).toContainEqual(order('a', 2));
    expect(share?.owned).toContain(bus.partitionOf('a', share?.partitions ?? 0));
  });

  it('does not hold up a message because an earlier one about the same subject is under way', async () => {
    const [seen, release] = [new Set<string>(), Promise.withResolvers<void>()];
    const { bus } = await fixture.consume(
      async ({ id }) => {
        seen.add(id);
        if (id === 'a-1') await release.promise;
      },
      { topic: fixture.channel, types },
    );
    const sent = bus.send(fixture.channel, [order('a', 1), order('a', 2)]);
    await eventually(() => seen.size === 2, { what: () => [...seen].join() });
    release.resolve();
    await sent;
  });

  it('leaves out the types that the group does not handle', async () => {
    const all = collector();
    const { bus } = await fixture.consume(all.handler, { topic: fixture.channel, types });
    await bus.send(fixture.channel, [order('a', 1, 'thing.returned'), order('a', 2)]);
    await all.until(1);
    expect(ids(all)).toEqual(['a-2']);
  });

  it('refuses an unknown channel, a topic of stored events and a message that the channel refuses', async () => {
    const { bus } = await fixture.consume(collector().handler, { topic: fixture.channel, types });
    await expect(bus.send('elsewhere', [order('a', 1)])).rejects.toThrow(TypeError);
    await expect(bus.send(fixture.topic, [order('a', 1)])).rejects.toThrow('is no channel');
    await expect(bus.send(fixture.channel, [order('a', 1, 'ordered')])).rejects.toThrow('unknown type');
  });
};
