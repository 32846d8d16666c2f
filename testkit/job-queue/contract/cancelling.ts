import { expect, it } from '@jest/globals';

import { collector, type Fixture } from './fixture.js';

export const cancellingContract = (fixture: Fixture): void => {
  it('removes a waiting job, once', async () => {
    await fixture.schedule('a', 500);
    await fixture.schedule('b', 500);
    await fixture.schedule('due');
    expect(await fixture.jobs.cancel(fixture.queue, 'a')).toBe(true);
    expect(await fixture.jobs.cancel(fixture.queue, 'a')).toBe(false);
    expect(await fixture.jobs.cancel(fixture.queue, 'due')).toBe(true);
    const all = collector();
    fixture.process(all.handler);
    await fixture.passTime(500);
    await all.until(1);
    await fixture.counted({ scheduled: 0, due: 0, running: 0 });
    expect(all.ids).toEqual(['b']);
  });

  it('lets the id be scheduled again, so a job can be moved', async () => {
    await fixture.schedule('a', 60_000, 1);
    await fixture.jobs.cancel(fixture.queue, 'a');
    await fixture.schedule('a', 0, 2);
    const all = collector();
    fixture.process(all.handler);
    await all.until(1);
    expect(all.jobs[0]?.payload).toEqual({ version: 1, number: 2 });
  });

  it('answers false for a job that runs, is done or is unknown', async () => {
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    fixture.process(async () => {
      reached.resolve();
      await held.promise;
    });
    await fixture.schedule('a');
    await reached.promise;
    expect(await fixture.jobs.cancel(fixture.queue, 'a')).toBe(false);
    held.resolve();
    await fixture.counted({ running: 0, due: 0 });
    expect(await fixture.jobs.cancel(fixture.queue, 'a')).toBe(false);
    expect(await fixture.jobs.cancel(fixture.queue, 'unknown')).toBe(false);
  });

  it('removes a failed job', async () => {
    fixture.process(async () => {
      throw new Error('never');
    });
    await fixture.schedule('a');
    await fixture.counted({ failed: 1 });
    expect(await fixture.jobs.cancel(fixture.queue, 'a')).toBe(true);
    expect(await fixture.jobs.failed(fixture.queue, 10)).toEqual([]);
  });
};
