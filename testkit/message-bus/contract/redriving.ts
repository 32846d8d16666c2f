import { expect, it } from '@jest/globals';

import { collector, type Fixture } from './fixture.js';

export const redrivingContract = (fixture: Fixture): void => {
  it('hands each dead letter to its group again, once, although later messages of its subject were processed', async () => {
    await fixture.things(['a', 'Made', 'Moved'], ['b', 'Made']);
    const all = collector();
    let broken = true;
    const consumer = await fixture.consume(async (message) => {
      if (broken && message.esrevision === 0) throw new Error('broken');
      await all.handler(message);
    });
    await fixture.untilDeadLetters(2);
    await all.until(1);
    broken = false;
    expect(await fixture.redrive()).toEqual({ redriven: 2, unreadable: 0 });
    await all.until(3);
    expect(all.seen.toSorted()).toEqual(['a/0', 'a/1', 'b/0']);
    expect(await fixture.redrive()).toEqual({ redriven: 0, unreadable: 0 });
    expect((await fixture.deadLetters()).map(({ redriven }) => redriven)).toEqual([true, true]);
    await fixture.things(['a', 'Broken']);
    await all.until(4);
    expect(all.seen.at(-1)).toBe('a/2');
    await consumer.stop();
  });

  it('hands them over also when the group is stopped, and to no other group', async () => {
    await fixture.things(['a', 'Made', 'Moved']);
    const failing = await fixture.consume(async () => {
      throw new Error('broken');
    });
    await fixture.untilDeadLetters(2);
    await failing.stop();
    const [mended, other] = [collector(), collector()];
    await fixture.consume(other.handler, { group: 'other' });
    await other.until(2);
    expect(await fixture.redrive()).toMatchObject({ redriven: 2 });
    await fixture.consume(mended.handler);
    await mended.until(2);
    await fixture.things(['a', 'Broken']);
    await Promise.all([mended.until(3), other.until(3)]);
    expect(mended.seen).toEqual(['a/0', 'a/1', 'a/2']);
    expect(other.seen).toEqual(['a/0', 'a/1', 'a/2']);
  });

  it('makes a new letter of a message that fails again', async () => {
    await fixture.things(['a', 'Made']);
    await fixture.consume(async () => {
      throw new Error('broken');
    });
    await fixture.untilDeadLetters(1);
    await fixture.redrive();
    expect((await fixture.untilDeadLetters(2)).map(({ redriven = false }) => redriven)).toEqual([true, false]);
  });

  it('does nothing where there are no dead letters', async () => {
    expect(await fixture.redrive()).toEqual({ redriven: 0, unreadable: 0 });
  });
};
