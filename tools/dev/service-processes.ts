import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The process of the service, and a second one that stands ready to become it: most of a start goes into loading packages, which the
 * second one has done.
 */
export class ServiceProcesses {
  readonly #say: (text: string) => void;
  #ready: ChildProcess;
  #running: ChildProcess | undefined;
  #stopping = false;

  constructor(say: (text: string) => void) {
    this.#say = say;
    this.#ready = this.#prepare();
  }

  /**
   * Kills the running process at once, since everything that it acknowledged is on disk, and starts the next one. Resolves when that
   * takes requests, or has ended.
   */
  async restart(): Promise<void> {
    await this.#kill();
    if (this.#stopping) return;
    const service = this.#ready;
    this.#running = service;
    service.on('exit', (code, signal) => {
      if (this.#stopping) process.exit(code ?? 0);
      if (this.#running === service) this.#say(`the process ended with ${code ?? signal}; waiting for a change`);
    });
    const settled = Promise.race([once(service, 'message'), once(service, 'exit')]);
    service.send('start');
    await settled;
    this.#ready = this.#prepare();
  }

  /** The service answers its requests and exits, and with it this process. */
  stop(signal?: NodeJS.Signals): void {
    this.#stopping = true;
    this.#ready.kill('SIGKILL');
    const isRunning = this.#running !== undefined && this.#running.exitCode === null && this.#running.signalCode === null;
    if (!isRunning) process.exit(0);
    if (signal) this.#running?.kill(signal);
  }

  #prepare(): ChildProcess {
    return spawn(process.execPath, ['--enable-source-maps', 'tools/dev/warm-service.ts'], {
      cwd: ROOT,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '.cache/node' },
    });
  }

  async #kill(): Promise<void> {
    const service = this.#running;
    this.#running = undefined;
    if (!service || service.exitCode !== null || service.signalCode !== null) return;
    const ended = once(service, 'exit');
    service.kill('SIGKILL');
    await ended;
  }
}
