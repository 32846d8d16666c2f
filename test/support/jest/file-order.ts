import { statSync } from 'node:fs';
import { basename } from 'node:path';

interface TestFile {
  readonly path: string;
}

/** `least-rights` judges the files before it, `engines-lost` disturbs the files after it, and `secrecy` searches the files that all others have written. */
const LAST = ['least-rights', 'engines-lost', 'secrecy'];

/**
 * The drills that take minutes, the longest first: begun in time, none of them runs alone at the end. The measured times of an earlier run,
 * by which jest orders otherwise, are missing in a new clone.
 */
const FIRST = [
  'sigterm',
  'upgrade',
  'relay',
  'consumers',
  'store',
  'webhooks-distributed',
  'event-store-cluster',
  'event-store-restore-services',
].map((name) => `${name}.drill.spec.ts`);

/** They walk through the whole heap of their worker, to which each file before them adds. */
const WHOLE_HEAP = ['one-of-each.e2e.spec.ts', 'one-of-each-in-npm-start.e2e.spec.ts'];
const EARLY = [...WHOLE_HEAP, ...FIRST];

/** The order of the files: the known long ones first, then the largest, since they tend to take longest, and some conformance files last. */
export default class FileOrder {
  sort<File extends TestFile>(files: readonly File[]): File[] {
    const place = ({ path }: File): number => LAST.indexOf(basename(path).split('.')[0] ?? '');
    const rank = ({ path }: File): number => (EARLY.includes(basename(path)) ? EARLY.indexOf(basename(path)) : EARLY.length);
    const size = ({ path }: File): number => statSync(path).size;
    return files.toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b) || size(b) - size(a));
  }

  shard<File>(files: readonly File[], { shardIndex, shardCount }: { readonly shardIndex: number; readonly shardCount: number }): File[] {
    return files.filter((_, at) => at % shardCount === shardIndex - 1);
  }

  allFailedTests<File>(files: readonly File[]): readonly File[] {
    return files;
  }

  cacheResults(): void {
    // The order depends on no earlier run.
  }
}
