import { type Logger, pino } from 'pino';

import { Log, type LogFields } from './log.js';
import { type LogOutput, StandardOutput } from './standard-output.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Writes JSON lines with the fields of {@link LogFields} only. Warnings and errors are written at once, with all lines before them. */
export class PinoLog extends Log {
  readonly #pino: Logger;

  constructor(
    level: LogLevel,
    private readonly output: LogOutput = new StandardOutput(),
    /** The id of the trace of the work that runs. */
    private readonly traceId: () => string | undefined = () => undefined,
  ) {
    super();
    this.#pino = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);
  }

  override debug(message: string, fields: LogFields = {}): void {
    if (this.#pino.isLevelEnabled('debug')) this.#pino.debug(this.#line(fields), message);
  }

  override info(message: string, fields: LogFields = {}): void {
    this.#pino.info(this.#line(fields), message);
  }

  override warn(message: string, fields: LogFields = {}): void {
    this.#pino.warn(this.#line(fields), message);
    this.output.flush();
  }

  override error(message: string, fields: LogFields = {}): void {
    this.#pino.error(this.#line(fields), message);
    this.output.flush();
  }

  #line(fields: LogFields): Record<string, unknown> {
    const traceId = this.traceId();
    return { ...(traceId !== undefined && { traceId }), ...allowed(fields) };
  }
}

const PLAIN = [
  'requestId',
  'method',
  'route',
  'status',
  'ms',
  'errorCode',
  'reason',
  'component',
  'clientId',
  'sessionId',
  'deviceId',
  'identityId',
  'endpointId',
  'jobId',
  'count',
] as const satisfies readonly (keyof LogFields)[];

/** The fields with a listed name and a plain type: an object that is put into a field by mistake is left out. */
const allowed = (fields: LogFields): Record<string, unknown> => {
  const line: Record<string, unknown> = {};
  for (const name of PLAIN) {
    const value: unknown = fields[name];
    if (typeof value === 'string' || typeof value === 'number') line[name] = value;
  }
  if (fields.error !== undefined) line['error'] = describe(fields.error);
  return line;
};

const describe = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    at: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  };
};
