import { type EventStore, NO_STREAM, streamName } from '#engines/event-store';
import { HistoryPass } from '#engines/transparency-log';
import { GUARDED } from '#testkit/transparency-log/anchored-store';

import { type FilledHistory, streamAt } from './filled-history.js';

/** Streams that are read, and events that are appended one after the other. */
const READS = 1_000;
const APPENDS = 2_000;
/** Appends between two checkpoints: 25 a second, each four seconds. */
const BETWEEN_CHECKPOINTS = 100;
/** Comparisons of a minute that are averaged. */
const LOOKS = 20;

/** Milliseconds of processor time, of all threads of the process. */
export interface HistoryCosts {
  readonly leaves: number;
  /** Of the first checkpoint over all leaves. */
  readonly firstCheckpoint: number;
  /** Of the comparison at a start, and its time on the clock. */
  readonly start: number;
  readonly startElapsed: number;
  /** Of the leaves that are read after it. */
  readonly taking: number;
  readonly takingElapsed: number;
  /** Of the comparison of a minute without new leaves. */
  readonly minute: number;
  /** Of a read of a guarded stream that the process does not remember, without and with its check. */
  readonly read: number;
  readonly checkedRead: number;
  /** Of a guarded append without the history, and with its share of the checkpoints and of their comparison. */
  readonly append: number;
  readonly guardedAppend: number;
  /** Of a pass over all leaves. */
  readonly pass: number;
}

const signal = new AbortController().signal;

const processorTime = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** Processor time, and time on the clock. */
const timesOf = async (work: () => Promise<unknown>): Promise<readonly [number, number]> => {
  const began = performance.now();
  const spent = await processorTime(work);
  return [spent, performance.now() - began];
};

const readStreams = async (store: EventStore, count: number): Promise<void> => {
  for (let index = 0; index < Math.min(READS, count); index++) await store.read(streamAt(index));
};

/** Measures one size. */
export const measureCosts = async (history: FilledHistory): Promise<HistoryCosts> => {
  const firstCheckpoint = await over(history, (store) => processorTime(() => history.writer(store).write(signal)));
  const compared = await over(history, async (store) => {
    const guard = history.guard(store);
    const [start, startElapsed] = await timesOf(() => guard.look());
    const [taking, takingElapsed] = await timesOf(() => guard.taken());
    const looks = await processorTime(async () => {
      for (let count = 0; count < LOOKS; count++) await guard.look();
    });
    const reads = Math.min(READS, history.streams);
    const checkedRead = (await processorTime(() => readStreams(history.anchored(store, guard), history.streams))) / reads;
    return { start, startElapsed, taking, takingElapsed, minute: looks / LOOKS, checkedRead };
  });
  const read = (await over(history, (store) => processorTime(() => readStreams(store, history.streams)))) / Math.min(READS, history.streams);
  const append = (await over(history, (store) => processorTime(() => appendEach(store, 'bare')))) / APPENDS;
  const guardedAppend = (await over(history, (store) => guardedAppends(history, store))) / APPENDS;
  const pass = await over(history, async (store) => {
    const guard = history.guard(store);
    await guard.look();
    await guard.taken();
    const passing = new HistoryPass({ store: history.anchored(store, guard), guard, guarded: GUARDED, pause: async () => undefined });
    return processorTime(() => passing.run(signal));
  });
  return { leaves: history.leaves, firstCheckpoint, ...compared, read, append, guardedAppend, pass };
};

const guardedAppends = async (history: FilledHistory, store: EventStore): Promise<number> => {
  const [writer, guard] = [history.writer(store), history.guard(store)];
  // What the appends before were, and what a process loads once, is no part of an append.
  await writer.write(signal);
  await guard.look();
  await guard.taken();
  return processorTime(() =>
    appendEach(history.anchored(store, guard), 'guarded', async () => {
      await writer.write(signal);
      await guard.look();
    }),
  );
};

const appendEach = async (store: EventStore, name: string, checkpoint?: () => Promise<void>): Promise<void> => {
  for (let count = 1; count <= APPENDS; count++) {
    await store.append(streamName('right', `${name}-${count}`), NO_STREAM, [{ type: 'GuardedGrant', data: { count } }]);
    if (checkpoint && count % BETWEEN_CHECKPOINTS === 0) await checkpoint();
  }
};

/** As a process that begins over the store. */
const over = async <Answer>(history: FilledHistory, work: (store: EventStore) => Promise<Answer>): Promise<Answer> => {
  const store = history.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};
