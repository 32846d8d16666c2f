import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { BackupSocket } from './backup-socket.js';
import { copyStore } from './read-store.js';

const CONTENT = Buffer.alloc(3_000_000, 'x');

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'backup-socket-'));
});
afterEach(() => rm(dataDirectory, { recursive: true }));

const open = (copyTo = (path: string): Promise<void> => writeFile(path, CONTENT)) =>
  BackupSocket.open({ dataDirectory, copyTo, randomness: new SystemRandomness(), log: new SilentLog() });
const readCopy = async (): Promise<Buffer> => {
  await using copy = await copyStore(dataDirectory);
  const chunks: Uint8Array[] = [];
  for await (const chunk of copy.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('the socket of backups', () => {
  it('serves the next caller after others that left, and leaves no copy behind', async () => {
    await writeFile(join(dataDirectory, '.backup-of-a-killed-process'), '');
    const socket = await open();
    for (let caller = 0; caller < 5; caller++) {
      const leaving = createConnection(join(dataDirectory, 'backup.sock'));
      await once(leaving, 'connect');
      leaving.destroy();
    }
    expect((await readCopy()).equals(CONTENT)).toBe(true);
    expect(await readdir(dataDirectory)).toEqual(['backup.sock']);
    await socket.close();
    expect(await readdir(dataDirectory)).toEqual([]);
  });

  it('reports a failed copy, and serves again afterwards', async () => {
    let fails = true;
    const socket = await open((path) => (fails ? Promise.reject(new Error('no space')) : writeFile(path, CONTENT)));
    await expect(readCopy()).rejects.toMatchObject({ reason: expect.stringContaining('could not copy') });
    fails = false;
    expect(await readCopy()).toHaveLength(CONTENT.length);
    await socket.close();
  });
});
