import { readdirSync, readFileSync } from 'node:fs';

import { processorSeconds } from './processor-time.js';

/** Seconds of processor time by kind of thread. */
export type ThreadTimes = ReadonlyMap<string, number>;

export const MAIN_THREAD = 'main thread';
/** The names that Node gives its threads, as `/proc` shows them, and what they do. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^libuv-worker/, 'thread pool'],
  [/^(V8Worker|DelayedTaskSche)/, 'V8: garbage, compiler'],
];
const OTHER = 'other threads';

/** Processor time of the threads of a Node process so far. A thread that has ended is not counted. Only Linux says. */
export const threadTimes = (pid: number): ThreadTimes => {
  const times = new Map([[MAIN_THREAD, 0], ...KINDS.map(([, kind]) => [kind, 0] as const), [OTHER, 0]]);
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `${pid}/task/${thread}`;
    const kind = Number(thread) === pid ? MAIN_THREAD : (KINDS.find(([name]) => name.test(nameOf(folder)))?.[1] ?? OTHER);
    times.set(kind, (times.get(kind) ?? 0) + (processorSeconds(folder) ?? 0));
  }
  return times;
};

const nameOf = (folder: string): string => {
  try {
    return readFileSync(`/proc/${folder}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
};
