import { expect, it } from '@jest/globals';

import { collector, type Fixture } from './fixture.js';

export const schedulingContract = (fixture: Fixture): void => {
  it('runs a job that is due, with its payload and its time', async () => {
    const all = collector();
    fixture.process(all.handler);
    const job = { id: 'a', payload: { version: 1, nested: { text: 'žß', list: [1, null] } }, at: fixture.clock.now() - 5 };
    await fixture.jobs.schedule(fixture.queue, job);
    await all.until(1);
    expect(all.jobs).toEqual([job]);
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
  });

  it('runs a job at its time, and not before', async () => {
    const all = collector();
    fixture.process(all.handler);
    await fixture.schedule('later', 1_000);
    await fixture.schedule('now');
    await all.until(1);
    expect(all.ids).toEqual(['now']);
    await fixture.counted({ scheduled: 1, due: 0, running: 0 });
    await fixture.passTime(1_000);
    await all.until(2);
    expect(all.ids).toEqual(['now', 'later']);
  });

  it('keeps jobs until they are processed, also while it is closed and opened again', async () => {
    await fixture.schedule('due');
    await fixture.schedule('later', 60_000);
    await fixture.reopen();
    expect(await fixture.jobs.counts(fixture.queue)).toMatchObject({ scheduled: 1, running: 0 });
    const all = collector();
    fixture.process(all.handler);
    await all.until(1);
    expect(all.ids).toEqual(['due']);
  });

  it('keeps the first of two jobs with one id while it waits', async () => {
    await fixture.schedule('a', 0, 1);
    await fixture.schedule('a', 60_000, 2);
    await fixture.schedule('b', 60_000, 1);
    await fixture.schedule('b', 0, 2);
    const all = collector();
    fixture.process(all.handler);
    await all.until(1);
    await fixture.counted({ scheduled: 1, due: 0, running: 0 });
    expect(all.jobs).toEqual([expect.objectContaining({ id: 'a', payload: { version: 1, number: 1 } })]);
  });

  it('keeps the first one while it runs, and when it is done', async () => {
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const all = collector();
    fixture.process(async (job) => {
      await all.handler(job);
      reached.resolve();
      await held.promise;
    });
    await fixture.schedule('a', 0, 1);
    await reached.promise;
    await fixture.schedule('a', 0, 2);
    held.resolve();
    await fixture.counted({ due: 0, running: 0 });
    await fixture.schedule('a', 0, 3);
    await fixture.schedule('b');
    await all.until(2);
    expect(all.ids).toEqual(['a', 'b']);
  });

  it('keeps the first one while it waits for another attempt', async () => {
    const all = collector();
    fixture.process(
      async (job) => {
        await all.handler(job);
        throw new Error('not yet');
      },
      { retryWaits: [60_000] },
    );
    await fixture.schedule('a');
    await fixture.counted({ scheduled: 1, due: 0, running: 0 });
    await fixture.schedule('a');
    await fixture.schedule('b');
    await fixture.counted({ scheduled: 2, due: 0, running: 0 });
    expect(all.ids).toEqual(['a', 'b']);
  });

  it('keeps queues apart', async () => {
    const other = `${fixture.queue}-other`;
    await fixture.jobs.schedule(other, { id: 'a', payload: { version: 1 }, at: 0 });
    await fixture.schedule('a', 0, 7);
    const all = collector();
    fixture.process(all.handler);
    await all.until(1);
    await fixture.counted({ due: 0, running: 0 });
    expect(all.jobs.map(({ payload }) => payload)).toEqual([{ version: 1, number: 7 }]);
    expect(await fixture.jobs.counts(other)).toMatchObject({ due: 1 });
  });

  it.each(['', 'a:b', '12', 'a b', 'ä', 'x'.repeat(201)])('refuses the id %p', async (id) => {
    await expect(fixture.schedule(id)).rejects.toBeInstanceOf(TypeError);
  });

  it('refuses an invalid time, a payload without version, an invalid queue name', async () => {
    await expect(fixture.schedule('a', Number.NaN)).rejects.toBeInstanceOf(TypeError);
    await expect(fixture.schedule('a', 0.5)).rejects.toBeInstanceOf(TypeError);
    await expect(fixture.jobs.schedule(fixture.queue, { id: 'a', payload: {} as { version: 1 }, at: 0 })).rejects.toBeInstanceOf(TypeError);
    await expect(fixture.jobs.schedule('a:b', { id: 'a', payload: { version: 1 }, at: 0 })).rejects.toBeInstanceOf(TypeError);
  });
};
