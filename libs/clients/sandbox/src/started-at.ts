import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

import type { SandboxClient } from './answers.js';
import { SandboxError } from './sandbox-error.js';

/** The line that the program of the sandbox prints with `--json`. */
export interface StartedAt {
  /** An origin, such as `http://localhost:3000`. */
  readonly url: string;
  readonly clients: readonly SandboxClient[];
}

interface Output {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** Waits for the line with which the program says that it is ready. Throws a {@link SandboxError} with the end of its log when it ends, or says nothing in time. */
export const readStart = (child: ChildProcess & Output, timeMs: number, shownOfLog: number): Promise<StartedAt> =>
  new Promise((resolve, reject) => {
    let [said, log] = ['', ''];
    const settle = (done: () => void): void => {
      clearTimeout(waiting);
      child.stdout.removeAllListeners('data');
      child.stderr.removeAllListeners('data');
      child.removeAllListeners('close');
      child.removeAllListeners('error');
      done();
    };
    const fail = (why: string, cause?: unknown): void =>
      settle(() => reject(new SandboxError(`the sandbox did not start: ${why}${log && `\n${log.trim()}`}`, { cause })));
    const waiting = setTimeout(() => fail(`it was not ready after ${timeMs / 1000} s`), timeMs);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const end = said.indexOf('\n');
      const line = said.slice(0, end);
      if (end < 0) return;
      const started = startedIn(line);
      if (started) settle(() => resolve(started));
      else fail(`it said something else than its address: ${line}`);
    });
    child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-shownOfLog)));
    child.once('close', (code, signal) => fail(`it ended with ${code ?? signal}`));
    child.once('error', (cause) => fail('its program cannot be run', cause));
  });

const startedIn = (line: string): StartedAt | undefined => {
  try {
    const { url, clients } = JSON.parse(line) as Partial<StartedAt>;
    return typeof url === 'string' && Array.isArray(clients) ? { url, clients } : undefined;
  } catch {
    return undefined;
  }
};
