import { expect, it } from '@jest/globals';

import { InvalidRequest, ServiceUnavailable } from '#kernel';

import { runAgain } from '#engines/job-queue';
import { collector, type Fixture } from './fixture.js';

export const failingContract = (fixture: Fixture): void => {
  it('retries a failing job', async () => {
    const attempts: number[] = [];
    fixture.process(async (_job, { attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) throw new Error('not yet');
    });
    await fixture.schedule('a');
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
    await fixture.schedule('b');
    await fixture.until(() => attempts.length >= 6);
    expect(attempts.toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('waits longer after each failure', async () => {
    const times: number[] = [];
    fixture.process(
      async () => {
        times.push(fixture.clock.now());
        throw new Error('never');
      },
      { retryWaits: [300, 600] },
    );
    await fixture.schedule('a');
    // While real time passes, a slow machine may look when the next attempt has begun.
    for (const [attempts, wait] of [300, 600].entries()) {
      await fixture.until(() => times.length > attempts);
      await fixture.counted({ scheduled: 1, running: 0 }, () => times.length > attempts + 1);
      for (let passed = 0; passed < wait; passed += 300) await fixture.passTime(300);
    }
    await fixture.counted({ failed: 1, scheduled: 0, running: 0 });
    expect(times).toHaveLength(3);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(300);
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(600);
  });

  it('stores a job that keeps failing with the reason, and goes on with others', async () => {
    const all = collector();
    fixture.process(async (job) => {
      await all.handler(job);
      if (job.id === 'bad') throw new InvalidRequest('shown', 'the thing is upside down');
    });
    await fixture.schedule('bad');
    await fixture.counted({ failed: 1, due: 0, scheduled: 0, running: 0 });
    await fixture.schedule('good');
    await all.until(4);
    await fixture.reopen();
    expect(await fixture.jobs.failed(fixture.queue, 10)).toEqual([
      { id: 'bad', payload: { version: 1, number: 1 }, failedAt: expect.any(Number), reason: 'InvalidRequest: the thing is upside down' },
    ]);
    expect(await fixture.jobs.counts(fixture.queue)).toEqual({ scheduled: 0, due: 0, running: 0, failed: 1 });
  });

  it('stores only the name of an unexpected error', async () => {
    fixture.process(async () => {
      throw new RangeError('with 47101010033 in it');
    });
    await fixture.schedule('a');
    await fixture.counted({ failed: 1 });
    expect(await fixture.jobs.failed(fixture.queue, 10)).toEqual([expect.objectContaining({ reason: 'RangeError' })]);
  });

  it('does not run a failed job when it is scheduled again', async () => {
    const all = collector();
    const failing = fixture.process(async () => {
      throw new Error('never');
    });
    await fixture.schedule('a');
    await fixture.counted({ failed: 1 });
    await failing.stop();
    fixture.process(all.handler);
    await fixture.schedule('a');
    await fixture.schedule('b');
    await all.until(1);
    expect(all.ids).toEqual(['b']);
    expect(await fixture.jobs.counts(fixture.queue)).toMatchObject({ failed: 1 });
  });

  it('runs a failed job after retry, as at its first attempt', async () => {
    const attempts: number[] = [];
    let works = false;
    fixture.process(async (_job, { attempt }) => {
      attempts.push(attempt);
      if (!works) throw new Error('not yet');
    });
    await fixture.schedule('a');
    await fixture.counted({ failed: 1 });
    works = true;
    expect(await fixture.jobs.retry(fixture.queue, 'a')).toBe(true);
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
    expect(attempts).toEqual([1, 2, 3, 1]);
    expect(await fixture.jobs.retry(fixture.queue, 'a')).toBe(false);
    expect(await fixture.jobs.retry(fixture.queue, 'unknown')).toBe(false);
  });

  it('retries a job without limit while the handler throws ServiceUnavailable', async () => {
    const attempts: number[] = [];
    fixture.process(async (_job, { attempt }) => {
      attempts.push(attempt);
      if (attempts.length < 10) throw new ServiceUnavailable('no answer from the store');
    });
    await fixture.schedule('a');
    await fixture.until(() => attempts.length >= 10);
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
    expect(new Set(attempts)).toEqual(new Set([1]));
  });

  it('counts only failures in a row', async () => {
    const attempts: number[] = [];
    fixture.process(async (_job, { attempt }) => {
      attempts.push(attempt);
      if (attempts.length === 3) return runAgain(fixture.clock.now());
      if (attempts.length < 6) throw new Error('not yet');
    });
    await fixture.schedule('a');
    await fixture.until(() => attempts.length >= 6);
    await fixture.counted({ scheduled: 0, due: 0, running: 0, failed: 0 });
    expect(attempts).toEqual([1, 2, 3, 1, 2, 3]);
  });
};
