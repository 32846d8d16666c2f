import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A processor profile as V8 writes it. Times in microseconds. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly endTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Files by the end of their name, and how their time counts: with all that they call, or their own code alone. */
export interface Counted {
  readonly file: string;
  readonly calls: boolean;
}

/** The profile of the main thread that Node wrote to the folder at its end (`--cpu-prof`). */
export const readProfile = async (folder: string): Promise<CpuProfile> => {
  const texts = await Promise.all(
    (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const longest = texts.toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) throw new Error('Node wrote no profile');
  return JSON.parse(longest) as CpuProfile;
};

/** The profiler's names for a thread that waits: for the system, or for the profiler itself. */
const WAITING = new Set(['(idle)', '(root)']);

/**
 * The share of the counted files in the main thread's work, from 0 to 1, in a part of the profile: from `from` until `until` milliseconds before its end.
 * It counts samples: a busy machine takes the processor from the thread at any place, so it changes both sides alike.
 */
export const shareOf = (profile: CpuProfile, counted: readonly Counted[], from: number, until: number): number => {
  const children = new Map(profile.nodes.map(({ id, children: below }) => [id, below ?? []]));
  const wanted = new Set<number>();
  const include = (id: number): void => {
    wanted.add(id);
    for (const child of children.get(id) ?? []) include(child);
  };
  for (const { id, callFrame } of profile.nodes) {
    const found = counted.find(({ file }) => callFrame.url.endsWith(file));
    if (found?.calls) include(id);
    else if (found) wanted.add(id);
  }
  const waiting = new Set(profile.nodes.filter(({ callFrame }) => WAITING.has(callFrame.functionName)).map(({ id }) => id));
  const [begin, end] = [profile.endTime - from * 1_000, profile.endTime - until * 1_000];
  let at = profile.startTime;
  let [found, all] = [0, 0];
  for (const [index, sample] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0;
    if (at < begin || at >= end || waiting.has(sample)) continue;
    all += 1;
    if (wanted.has(sample)) found += 1;
  }
  return found / all;
};
