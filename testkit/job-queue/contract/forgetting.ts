import { expect, it } from '@jest/globals';

import { collector, type Fixture } from './fixture.js';

export const forgettingContract = (fixture: Fixture): void => {
  it('forgets that a job is done, so that its id may be scheduled again', async () => {
    const all = collector();
    fixture.process(all.handler);
    await fixture.schedule('a', 0, 1);
    await fixture.schedule('b', 0, 1);
    await all.until(2);
    await fixture.counted({ due: 0, running: 0 });
    expect(await fixture.jobs.forgetDone(fixture.queue, ['a', 'unknown'])).toEqual(['a']);
    expect(await fixture.jobs.forgetDone(fixture.queue, ['a'])).toEqual([]);
    await fixture.schedule('b', 0, 2);
    await fixture.schedule('a', 0, 2);
    await all.until(3);
    await fixture.counted({ due: 0, running: 0 });
    expect(all.jobs.slice(2)).toEqual([expect.objectContaining({ id: 'a', payload: { version: 1, number: 2 } })]);
  });

  it('leaves jobs that wait, run or have failed as they are', async () => {
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    fixture.process(
      async ({ id }) => {
        if (id === 'bad') throw new Error('never');
        reached.resolve();
        await held.promise;
      },
      { retryWaits: [] },
    );
    await fixture.schedule('bad');
    await fixture.schedule('runs');
    await fixture.schedule('later', 60_000);
    await reached.promise;
    await fixture.counted({ failed: 1, running: 1 });
    expect(await fixture.jobs.forgetDone(fixture.queue, ['bad', 'runs', 'later'])).toEqual([]);
    expect(await fixture.jobs.counts(fixture.queue)).toEqual({ scheduled: 1, due: 0, running: 1, failed: 1 });
    held.resolve();
    await fixture.counted({ scheduled: 1, due: 0, running: 0, failed: 1 });
    expect(await fixture.jobs.forgetDone(fixture.queue, ['bad', 'runs', 'later'])).toEqual(['runs']);
  });

  it('answers no job when it is asked for none', async () => {
    expect(await fixture.jobs.forgetDone(fixture.queue, [])).toEqual([]);
  });
};
