import { expect, it } from '@jest/globals';

import { runAgain } from '#engines/job-queue';
import { collector, type Fixture } from './fixture.js';

export const runningContract = (fixture: Fixture): void => {
  it('runs as many jobs at once as the concurrency allows', async () => {
    const held = Promise.withResolvers<void>();
    const all = collector();
    let atOnce = 0;
    let most = 0;
    fixture.process(
      async (job) => {
        most = Math.max(most, ++atOnce);
        await all.handler(job);
        await held.promise;
        atOnce -= 1;
      },
      { concurrency: 3 },
    );
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => fixture.schedule(id)));
    await all.until(3);
    expect(await fixture.jobs.counts(fixture.queue)).toMatchObject({ running: 3 });
    held.resolve();
    await all.until(5);
    expect(most).toBe(3);
  });

  it('runs each of many jobs once, on one of two processings', async () => {
    const all = collector();
    fixture.process(all.handler, { concurrency: 7 });
    fixture.process(all.handler, { concurrency: 7 });
    const ids = Array.from({ length: 500 }, (_, number) => `job-${number}`);
    await Promise.all(ids.map((id) => fixture.schedule(id)));
    await all.until(500);
    await fixture.counted({ due: 0, running: 0, scheduled: 0 });
    expect(new Set(all.ids)).toEqual(new Set(ids));
    expect(all.ids).toHaveLength(500);
  });

  it('runs a job again at the time that its handler answers, with the same payload', async () => {
    const all = collector();
    const attempts: number[] = [];
    fixture.process(async (job, { attempt }) => {
      attempts.push(attempt);
      await all.handler(job);
      return all.jobs.length === 1 ? runAgain(fixture.clock.now() + 500) : undefined;
    });
    await fixture.schedule('a');
    await fixture.counted({ scheduled: 1, running: 0 });
    expect(all.ids).toEqual(['a']);
    await fixture.passTime(500);
    await all.until(2);
    expect(all.jobs[1]?.payload).toEqual(all.jobs[0]?.payload);
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
    expect(attempts).toEqual([1, 1]);
  });

  it('runs a job again as often as its handler answers so', async () => {
    const all = collector();
    fixture.process(async (job) => {
      await all.handler(job);
      return all.jobs.length < 20 ? runAgain(fixture.clock.now()) : undefined;
    });
    await fixture.schedule('a');
    await all.until(20);
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
    expect(all.ids).toHaveLength(20);
  });
};
