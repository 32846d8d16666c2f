import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { jest } from '@jest/globals';

import { InvalidSettings } from '#service/config';

import { runProcess } from './run-process.js';

/** Answers a function that removes the listeners which are added from now on. */
const signalListeners = (): (() => void) => {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  return () => {
    for (const [index, signal] of signals.entries())
      for (const added of process.listeners(signal)) if (!before[index]?.includes(added)) process.off(signal, added);
  };
};

describe('a process', () => {
  it('ends with the line of a problem that shows after the start', async () => {
    const { promise: failed, resolve } = Promise.withResolvers<Error>();
    const ended = Promise.withResolvers<unknown>();
    const lines: unknown[] = [];
    const umask = process.umask();
    const restore = signalListeners();
    const exit = jest.spyOn(process, 'exit').mockImplementation((code) => ended.resolve(code) as never);
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(line) > 0);
    try {
      await runProcess(async () => ({ close: async () => undefined, failed }));
      resolve(new InvalidSettings(['KEY_DIR: index.json holds another key. Put the former one back.']));
      expect(await ended.promise).toBe(1);
      expect(lines.join('')).toContain('KEY_DIR: index.json holds another key. Put the former one back.');
    } finally {
      exit.mockRestore();
      write.mockRestore();
      process.umask(umask);
      restore();
    }
  });

  it('creates files that only its own user can read', async () => {
    const umask = process.umask();
    const restore = signalListeners();
    const directory = await mkdtemp(join(tmpdir(), 'process-'));
    try {
      await runProcess(async () => {
        await writeFile(join(directory, 'data'), 'content');
        return { close: async () => undefined };
      });
      expect((await stat(join(directory, 'data'))).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(umask);
      restore();
      await rm(directory, { recursive: true });
    }
  });
});
