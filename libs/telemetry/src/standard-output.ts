import { type DestinationStream, pino } from 'pino';

/** The target of log lines. */
export interface LogOutput extends DestinationStream {
  /** Writes out the buffered lines. */
  flush(): void;
}

/** Limits of the buffer: milliseconds after its first line, and bytes. */
const FLUSH_AFTER = 100;
const BUFFER_BYTES = 4_096;

/**
 * Writes to the standard output, or to the standard error, several lines at a time: a system call for each line would be a twentieth of the cost of a login. The buffer is
 * written 100 ms after its first line and when the process exits, also by an uncaught error. `kill -9` loses it (docs/adr/0011).
 */
export class StandardOutput implements LogOutput {
  readonly #stream;
  /** Undefined while the buffer is empty: the library's own timer would wake an idle process ten times a second. */
  #timer: NodeJS.Timeout | undefined;

  /** `descriptor`: 1 for the standard output, 2 for the standard error. */
  constructor(descriptor: 1 | 2 = 1) {
    this.#stream = pino.destination({ dest: descriptor, sync: true, minLength: BUFFER_BYTES });
    process.on('exit', () => this.flush());
  }

  write(line: string): void {
    this.#stream.write(line);
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_AFTER).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // `flushSync` never returns once the output is closed. With `sync`, `flush` is synchronous too.
    this.#stream.flush();
  }
}
