import type { LoggerService } from '@nestjs/common';

import type { Log } from '#telemetry';

/** Writes the messages of Nest itself to the log. They name parts of the program (routes, modules), no data of requests. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Log) {}

  log(message: unknown, ...context: unknown[]): void {
    this.target.debug(...entry(message, context));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.target.warn(...entry(message, context));
  }

  error(message: unknown, ...context: unknown[]): void {
    const [text, fields] = entry(message, context);
    this.target.error(text, message instanceof Error ? { ...fields, error: message } : fields);
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.error(message, ...context);
  }
}

const entry = (message: unknown, context: readonly unknown[]): [string, { component?: string }] => {
  const component = context.at(-1);
  return [typeof message === 'string' ? message : 'nest', typeof component === 'string' ? { component } : {}];
};
