import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** `17 fdatasync(21</run/countersign.sqlite-wal>) = 0`, as strace writes it with `-f` and `-y`. A call that it shows in two parts counts once. */
const FLUSH = /^\d+ +(?:fsync|fdatasync)\(\d+<([^>]+)>/gmu;

/**
 * Counts how often a process and its threads flush each file to the disk (fsync, fdatasync) while the work lasts, by the name of the file. Needs strace, and the
 * right to trace the process. `file`: where strace writes.
 */
export const flushesDuring = async (pid: number, file: string, work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
  const tracer = spawn('strace', ['-f', '-y', '-e', 'trace=fsync,fdatasync', '-o', file, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(tracer, 'exit');
  await Promise.race([attached(tracer.stderr), ended.then(() => Promise.reject(new Error('strace cannot trace the process')))]);
  await work();
  tracer.kill('SIGINT');
  await ended;
  const flushes = new Map<string, number>();
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(FLUSH)) flushes.set(basename(path), (flushes.get(basename(path)) ?? 0) + 1);
  return flushes;
};

/** strace says "Process … attached" once it sees every call. */
const attached = async (messages: AsyncIterable<Buffer>): Promise<void> => {
  let said = '';
  for await (const message of messages) {
    said += message.toString();
    if (said.includes('attached')) return;
  }
};
