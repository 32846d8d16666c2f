import { type DestinationStream, pino } from 'pino';

/** Where log lines go. */
export interface LogOutput extends DestinationStream {
  /** Writes out what is held back. */
  flush(): void;
}

/** How long a line is held back at most, in milliseconds, and how many bytes of them. */
const HOLD = 100;
const HOLD_BYTES = 4_096;

/**
 * The standard output, several lines at a time: a system call for each would be a twentieth of all that a login costs. What is held back goes out
 * every 100 ms and when the process exits, also by an error that nobody caught; `kill -9` loses it (ADR 0011).
 */
export class StandardOutput implements LogOutput {
  readonly #stream = pino.destination({ dest: 1, sync: true, minLength: HOLD_BYTES, periodicFlush: HOLD });

  constructor() {
    process.on('exit', () => this.flush());
  }

  write(line: string): void {
    this.#stream.write(line);
  }

  flush(): void {
    // Not `flushSync`, which never returns once nobody reads the output any more. `sync` makes this one synchronous too.
    this.#stream.flush();
  }
}
