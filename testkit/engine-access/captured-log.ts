import { PinoLog } from '#telemetry';

/** The log of the service, with all that it has written. */
export class CapturedLog extends PinoLog {
  readonly #lines: string[];

  constructor() {
    const lines: string[] = [];
    super('debug', { write: (line: string) => void lines.push(line), flush: () => undefined });
    this.#lines = lines;
  }

  get text(): string {
    return this.#lines.join('');
  }
}
