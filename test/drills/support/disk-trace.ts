import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** What a process asked of the disk, in order. A `sync` is given when it has ended; `since` is the number of operations before it began: what they wrote is on disk then. */
export type DiskOperation =
  | { readonly kind: 'write'; readonly path: string; readonly data: Buffer; readonly offset: number }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync'; readonly path: string; readonly since: number }
  | { readonly kind: 'line'; readonly text: string };

/** Arguments of strace, before the program, that make it write a trace for {@link readDiskTrace}. */
export const traceArguments = (file: string): readonly string[] => [
  ...['-f', '-y', '-xx', '-s', '1000000'],
  ...['-e', 'trace=write,pwrite64,ftruncate,fsync,fdatasync', '-e', 'signal=none', '-o', file],
];

const CALL = /^(?<thread>\d+) +(?<name>\w+)\((?<number>\d+)<(?<path>[^>]*)>(?:, "(?<data>[^"]*)")?(?:, (?<numbers>[\d, ]+))?/u;
const RESUMED = /^(?<thread>\d+) +<\.\.\. (?:fsync|fdatasync) resumed>/u;
const STANDARD_OUTPUT = '1';

/** Reads what strace has written. A write stands where it began, a sync where it ended. */
export const readDiskTrace = async (file: string): Promise<readonly DiskOperation[]> => {
  const operations: DiskOperation[] = [];
  /** The syncs under way, by their thread. */
  const begun = new Map<string, { readonly path: string; readonly since: number }>();
  for await (const line of createInterface({ input: createReadStream(file, 'latin1') })) {
    const resumed = RESUMED.exec(line)?.groups;
    if (resumed) {
      const sync = begun.get(resumed['thread']!);
      if (sync) operations.push({ kind: 'sync', ...sync });
      continue;
    }
    const call = CALL.exec(line)?.groups;
    if (!call) continue;
    const path = bytesOf(call['path']!).toString();
    const numbers = (call['numbers'] ?? '').split(',').map(Number);
    if (call['name'] === 'pwrite64') operations.push({ kind: 'write', path, data: bytesOf(call['data']!), offset: numbers[1]! });
    else if (call['name'] === 'ftruncate') operations.push({ kind: 'truncate', path, size: numbers[0]! });
    else if (call['name'] === 'write' && call['number'] === STANDARD_OUTPUT)
      operations.push({ kind: 'line', text: bytesOf(call['data']!).toString().trim() });
    else if (/^f(?:data)?sync$/u.test(call['name']!)) {
      const sync = { path, since: operations.length };
      if (line.includes('<unfinished')) begun.set(call['thread']!, sync);
      else operations.push({ kind: 'sync', ...sync });
    }
  }
  return operations;
};

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll(String.raw`\x`, ''), 'hex');
