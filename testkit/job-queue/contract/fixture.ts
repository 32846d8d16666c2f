import { afterEach, beforeEach } from '@jest/globals';

import { type Clock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import type { Job, JobCounts, JobHandler, JobQueue, Processing, ProcessOptions } from '#engines/job-queue';

/** The parts that an adapter gives to the suite. */
export interface ContractSubject {
  readonly clock: Clock;
  /** Opens the queue. Opened again, it holds the same jobs. The suite closes it in between. */
  open(): Promise<JobQueue>;
  /** Lets milliseconds pass on the clock by which jobs become due: moves the clock, or waits. */
  passTime(milliseconds: number): Promise<void>;
}

export interface Fixture extends Pick<ContractSubject, 'clock' | 'passTime'> {
  /** The open queue; another one after {@link reopen}. */
  readonly jobs: JobQueue;
  /** A queue of this test alone. */
  readonly queue: string;
  reopen(): Promise<void>;
  /** Schedules a job that is due after `after` milliseconds. */
  schedule(id: string, after?: number, number?: number): Promise<void>;
  /** Processes the queue, with very short waits between retries. */
  process(handler: JobHandler, options?: Partial<ProcessOptions>): Started;
  /** Resolves when the queue has these counts, or when it is too late to see them. */
  counted(counts: Partial<JobCounts>, isOver?: () => boolean): Promise<void>;
  /** Resolves when the condition holds. */
  until(condition: () => boolean): Promise<void>;
}

interface Started extends Processing {
  /** Ends the processing. */
  stop(): Promise<void>;
}

const randomness = new SystemRandomness();

/** Opens the queue before each test and closes it afterwards. */
export const contractFixture = ({ clock, open, passTime }: ContractSubject): Fixture => {
  const started = new Set<Started>();
  let jobs: JobQueue;
  let queue: string;

  beforeEach(async () => {
    queue = `contract-${randomness.bytes(6).toString('hex')}`;
    jobs = await open();
  });
  afterEach(async () => {
    await Promise.all([...started].map((one) => one.stop()));
    await jobs.close();
  });

  return {
    clock,
    passTime,
    get jobs() {
      return jobs;
    },
    get queue() {
      return queue;
    },
    reopen: async () => {
      await Promise.all([...started].map((one) => one.stop()));
      await jobs.close();
      jobs = await open();
    },
    schedule: (id, after = 0, number = 1) => jobs.schedule(queue, { id, payload: { version: 1, number }, at: clock.now() + after }),
    process: (handler, options = {}) => {
      const stopping = new AbortController();
      const processing = jobs.process(queue, {
        handler,
        concurrency: 10,
        signal: stopping.signal,
        retryWaits: [0, 0],
        unavailableWait: 0,
        ...options,
      });
      const one: Started = {
        ...processing,
        stop: async () => {
          started.delete(one);
          stopping.abort();
          await processing.done;
        },
      };
      started.add(one);
      return one;
    },
    counted: async (wanted, isOver = () => false) => {
      const areCounted = async (): Promise<boolean> => {
        const counts = await jobs.counts(queue);
        return Object.entries(wanted).every(([state, count]) => counts[state as keyof JobCounts] === count);
      };
      await eventually(async () => isOver() || (await areCounted()), { what: () => `the counts ${JSON.stringify(wanted)}` });
    },
    until: (condition) => eventually(condition),
  };
};

/** A handler that collects its jobs, and lets a test wait for them. */
export const collector = () => {
  const jobs: Job[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  return {
    handler: async (job: Job): Promise<void> => {
      jobs.push(job);
      for (const { count, resolve } of waiting) if (jobs.length >= count) resolve();
    },
    jobs: jobs as readonly Job[],
    get ids() {
      return jobs.map(({ id }) => id);
    },
    /** Resolves after `count` calls. */
    until: (count: number) => new Promise<void>((resolve) => (jobs.length >= count ? resolve() : void waiting.push({ count, resolve }))),
  };
};
