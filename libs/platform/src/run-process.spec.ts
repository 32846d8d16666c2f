import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProcess } from './run-process.js';

describe('a process', () => {
  it('creates files that only its own user can read', async () => {
    const umask = process.umask();
    const listeners = ['SIGTERM', 'SIGINT'].map((signal) => ({ signal, before: process.listeners(signal as NodeJS.Signals) }));
    const directory = await mkdtemp(join(tmpdir(), 'process-'));
    try {
      await runProcess(async () => {
        await writeFile(join(directory, 'data'), 'content');
        return { close: async () => undefined };
      });
      expect((await stat(join(directory, 'data'))).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(umask);
      for (const { signal, before } of listeners)
        for (const added of process.listeners(signal as NodeJS.Signals)) if (!before.includes(added)) process.off(signal, added);
      await rm(directory, { recursive: true });
    }
  });
});
