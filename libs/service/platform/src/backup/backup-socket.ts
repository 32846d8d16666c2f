import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { Randomness } from '#kernel';
import type { Log } from '#telemetry';

import { SOCKET, WORK_FILE } from './files.js';

interface Options {
  readonly dataDirectory: string;
  /** Copies the event store into the file. */
  readonly copyTo: (path: string) => Promise<void>;
  readonly randomness: Randomness;
  readonly log: Log;
}

/**
 * Hands the event store over to `npm run cli -- backup`, which cannot open a file that this process holds: on each connection to a socket in `DATA_DIR`, which the
 * service's user alone may use, one line `{"size": bytes}` or `{"error": text}`, then the bytes.
 */
export class BackupSocket {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #working: Promise<void> = Promise.resolve();

  private constructor(private readonly options: Options) {
    this.#server = createServer((socket) => this.#serve(socket)).unref();
  }

  /** A service starts without it where the system takes no such socket; backups are then made while it is stopped. */
  static async open(options: Options): Promise<BackupSocket> {
    const { dataDirectory, log } = options;
    await removeLeftovers(dataDirectory);
    const opened = new BackupSocket(options);
    opened.#server.on('error', (error) => log.warn('no backup can be made while the service runs', { component: 'backup', error }));
    opened.#server.listen(join(dataDirectory, SOCKET));
    return opened;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.#working;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    // One after the other: each needs the room of the whole store on the disk.
    this.#working = this.#working.then(() => (socket.destroyed ? undefined : this.#handOver(socket)));
  }

  async #handOver(socket: Socket): Promise<void> {
    const { log } = this.options;
    try {
      await using file = await this.#copy();
      const { size } = await file.stat();
      socket.write(`${JSON.stringify({ size })}\n`);
      await pipeline(file.createReadStream({ autoClose: false }), socket);
      log.info('a backup was handed over', { component: 'backup' });
    } catch (error) {
      log.error('a backup has failed', { component: 'backup', error });
      socket.end(`${JSON.stringify({ error: 'the service could not copy the store: its log says why' })}\n`);
    }
  }

  /** A file that is already unlinked: the system frees it when the process ends, also after a crash. */
  async #copy(): Promise<FileHandle> {
    const { dataDirectory, copyTo, randomness } = this.options;
    const path = join(dataDirectory, `${WORK_FILE}${randomness.bytes(8).toString('hex')}`);
    await (await open(path, 'wx', 0o600)).close();
    try {
      await copyTo(path);
      return await open(path, 'r');
    } finally {
      await rm(path, { force: true });
    }
  }
}

/** Removes the files that a killed process has left. Only the process that holds the store calls this. */
const removeLeftovers = async (dataDirectory: string): Promise<void> => {
  for (const name of await readdir(dataDirectory))
    if (name === SOCKET || name.startsWith(WORK_FILE)) await rm(join(dataDirectory, name), { force: true });
};
