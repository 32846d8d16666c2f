import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { freePorts } from './free-ports.mjs';

const PROGRAM = resolve(import.meta.dirname, '../../dist/libs/event-store/src/eventstoredb/testing/grpc-test-server.js');

/** The gRPC test server, which stands in for EventStoreDB where none can be installed, as a process that can be killed and started again. */
export class GrpcTestServer {
  isReal = false;
  #child;

  constructor(directory) {
    this.directory = join(directory, 'grpc-test-server');
  }

  /** Starts it if it does not run, and resolves when it serves. */
  async start() {
    if (this.#runs) return;
    await mkdir(this.directory, { recursive: true });
    this.port ??= (await freePorts(1))[0];
    const child = spawn(process.execPath, [PROGRAM, '--port', String(this.port), '--data', this.directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the gRPC test server ended with ${code}`)));
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    ended.catch(() => undefined);
    this.url = line.slice(line.lastIndexOf(' ') + 1);
  }

  get #runs() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** SIGTERM. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** SIGKILL. */
  kill() {
    return this.#end('SIGKILL');
  }

  async #end(signal) {
    if (!this.#runs) return;
    this.#child.kill(signal);
    await once(this.#child, 'exit');
  }
}

/** An EventStoreDB that somebody else runs. Drills end and start it with the shell commands of ESDB_STOP and ESDB_START. */
export class ForeignEventStore {
  isReal = true;

  constructor({ ESDB_URL, ESDB_STOP, ESDB_START }) {
    this.url = ESDB_URL;
    this.commands = { ESDB_STOP, ESDB_START };
    this.#isUp = true;
  }

  #isUp;

  async start() {
    if (!this.#isUp) await this.#run('ESDB_START');
    this.#isUp = true;
  }

  async kill() {
    await this.#run('ESDB_STOP');
    this.#isUp = false;
  }

  /** Leaves it running, as it was found. */
  stop() {
    return this.start();
  }

  async #run(name) {
    const command = this.commands[name];
    if (!command) throw new Error(`${name}: the shell command is needed, beside ESDB_URL, to drill the loss of the event store`);
    await promisify(execFile)('sh', ['-c', command]);
  }
}
