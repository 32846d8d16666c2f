import { expect, it } from '@jest/globals';

import { InvalidRequest, ServiceUnavailable } from '#kernel';

import { collector, type Fixture, nameOf } from './fixture.js';

export const failingContract = (fixture: Fixture): void => {
  it('retries a failing message before it goes on with its subject', async () => {
    await fixture.things(['a', 'Made', 'Moved']);
    const all = collector();
    const attempts: number[] = [];
    await fixture.consume(async (message, { attempt }) => {
      attempts.push(attempt);
      if (attempts.length < 3) throw new Error('not yet');
      await all.handler(message);
    });
    await all.until(2);
    expect(all.seen).toEqual(['a/0', 'a/1']);
    expect(attempts).toEqual([1, 2, 3, 1]);
    expect(await fixture.deadLetters()).toEqual([]);
  });

  it('stores a message that keeps failing as a dead letter with the reason, and goes on with its subject', async () => {
    await fixture.things(['a', 'Made', 'Moved']);
    const all = collector();
    const consumer = await fixture.consume(async (message) => {
      if (message.esrevision === 0) throw new InvalidRequest('shown', 'the thing is upside down');
      await all.handler(message);
    });
    await all.until(1);
    await consumer.stop();
    expect(all.seen).toEqual(['a/1']);
    expect(await fixture.deadLetters()).toEqual([
      {
        reason: 'InvalidRequest: the thing is upside down',
        at: expect.any(Number),
        origin: expect.stringMatching(/\d/),
        message: expect.objectContaining({ subject: 'a', esrevision: 0, data: { type: 'Made' } }),
      },
    ]);
    expect(await fixture.deadLetters('another')).toEqual([]);
  });

  it.each([
    ['TypeError', TypeError],
    ['RangeError', RangeError],
    ['ReferenceError', ReferenceError],
    ['SyntaxError', SyntaxError],
  ])('treats a %s of the handler as any other failure', async (name, type) => {
    await fixture.things(['a', 'Made'], ['b', 'Made']);
    const all = collector();
    await fixture.consume(async (message) => {
      if (message.subject === 'a') throw new type('with 47101010033 in it');
      await all.handler(message);
    });
    await all.until(1);
    await fixture.things(['b', 'Moved']);
    await all.until(2);
    expect(await fixture.untilDeadLetters(1)).toEqual([expect.objectContaining({ reason: name })]);
  });

  it('retries a message without limit while the handler throws ServiceUnavailable', async () => {
    await fixture.things(['a', 'Made']);
    const all = collector();
    const names: string[] = [];
    await fixture.consume(
      async (message) => {
        names.push(nameOf(message));
        if (names.length < 4) throw new ServiceUnavailable('no answer from the store');
        await all.handler(message);
      },
      { retryWaits: [], unavailableWait: 1 },
    );
    await all.until(1);
    expect(names).toHaveLength(4);
    expect(await fixture.deadLetters()).toEqual([]);
  });

  it('stores a message of unknown type as a dead letter, and goes on', async () => {
    await fixture.things(['a', 'Made', 'Melted', 'Moved']);
    const all = collector();
    const consumer = await fixture.consume(all.handler);
    await all.until(2);
    await consumer.stop();
    expect(all.seen).toEqual(['a/0', 'a/2']);
    expect(await fixture.deadLetters()).toEqual([
      expect.objectContaining({ reason: 'unknown type', message: expect.objectContaining({ type: 'thing.melted' }) }),
    ]);
  });
};
