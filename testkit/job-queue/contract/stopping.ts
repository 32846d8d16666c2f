import { expect, it } from '@jest/globals';

import { JobQueueUnavailable } from '#engines/job-queue';
import { collector, type Fixture } from './fixture.js';

export const stoppingContract = (fixture: Fixture): void => {
  it('lets running handlers finish before it ends, and stores their outcome', async () => {
    const reached = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const processing = fixture.process(async () => {
      reached.resolve();
      await held.promise;
    });
    await fixture.schedule('a');
    await reached.promise;
    const stopped = processing.stop();
    held.resolve();
    await stopped;
    await fixture.reopen();
    expect(await fixture.jobs.counts(fixture.queue)).toEqual({ scheduled: 0, due: 0, running: 0, failed: 0 });
  });

  it('takes no more jobs', async () => {
    const all = collector();
    const processing = fixture.process(all.handler);
    await processing.stop();
    await fixture.schedule('a');
    await fixture.passTime(300);
    expect(all.ids).toEqual([]);
    expect(await fixture.jobs.counts(fixture.queue)).toMatchObject({ due: 1 });
  });

  it('runs a job again when its handler did not finish before the end, without counting a failure', async () => {
    const reached = Promise.withResolvers<void>();
    const processing = fixture.process(
      async (_job, { signal }) => {
        reached.resolve();
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
      { retryWaits: [] },
    );
    await fixture.schedule('a');
    await reached.promise;
    await processing.stop();
    await fixture.reopen();
    const attempts: number[] = [];
    fixture.process(async (_job, { attempt }) => void attempts.push(attempt));
    await fixture.until(() => attempts.length >= 1);
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
    expect(attempts).toEqual([1]);
  });

  it('is ready while it processes, and not after its end', async () => {
    const all = collector();
    const processing = fixture.process(all.handler);
    await fixture.schedule('a');
    await all.until(1);
    await expect(processing.check()).resolves.toBeUndefined();
    await processing.stop();
    await expect(processing.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
  });

  it('refuses every call after close, which may be called twice', async () => {
    const closed = fixture.jobs;
    await expect(closed.check()).resolves.toBeUndefined();
    await fixture.reopen();
    await expect(closed.schedule(fixture.queue, { id: 'a', payload: { version: 1 }, at: 0 })).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(closed.cancel(fixture.queue, 'a')).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(closed.forgetDone(fixture.queue, ['a'])).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(closed.counts(fixture.queue)).rejects.toBeInstanceOf(JobQueueUnavailable);
    await expect(closed.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
    await closed.close();
  });
};
