import { afterEach, beforeEach } from '@jest/globals';

import { type Clock, SystemRandomness } from '#kernel';

import type { Job, JobCounts, JobHandler, JobQueue, Processing, ProcessOptions } from '../job-queue.js';

/** What an adapter hands to the suite. */
export interface ContractSubject {
  readonly clock: Clock;
  /** Opens the queue; opened again, it holds what it held. The suite closes it in between. */
  open(): Promise<JobQueue>;
  /** Lets so many milliseconds pass on the clock by which jobs become due: moves the clock, or waits. */
  passTime(milliseconds: number): Promise<void>;
}

export interface Fixture extends Pick<ContractSubject, 'clock' | 'passTime'> {
  /** The open queue; another one after {@link reopen}. */
  readonly jobs: JobQueue;
  /** A queue that nobody else uses. */
  readonly queue: string;
  reopen(): Promise<void>;
  /** Schedules a job that is due after so many milliseconds. */
  schedule(id: string, after?: number, number?: number): Promise<void>;
  /** Processes the queue, with retries that hardly wait. */
  process(handler: JobHandler, options?: Partial<ProcessOptions>): Started;
  /** Resolves when the counts of the queue are these, as far as given. */
  counted(counts: Partial<JobCounts>): Promise<void>;
  /** Resolves when the condition holds. */
  until(condition: () => boolean): Promise<void>;
}

interface Started extends Processing {
  /** Ends the processing in an orderly way. */
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
      const leave = new AbortController();
      const processing = jobs.process(queue, { handler, concurrency: 10, signal: leave.signal, retryWaits: [0, 0], awayWait: 0, ...options });
      const one: Started = {
        ...processing,
        stop: async () => {
          started.delete(one);
          leave.abort();
          await processing.done;
        },
      };
      started.add(one);
      return one;
    },
    counted: async (wanted) => {
      for (;;) {
        const counts = await jobs.counts(queue);
        if (Object.entries(wanted).every(([state, count]) => counts[state as keyof JobCounts] === count)) return;
        await aMoment();
      }
    },
    until: async (condition) => {
      while (!condition()) await aMoment();
    },
  };
};

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Collects what a handler is called with, and lets a test wait for it. */
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
    /** Resolves when so many calls have come. */
    until: (count: number) => new Promise<void>((resolve) => (jobs.length >= count ? resolve() : void waiting.push({ count, resolve }))),
  };
};
