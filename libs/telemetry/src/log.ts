/** Everything that a log line may hold. Not in this list, not in the log: no query, no header, no body, no name. */
export interface LogFields {
  readonly requestId?: string;
  readonly method?: string;
  /** The route's pattern, never the path that was asked for. */
  readonly route?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly errorCode?: string;
  /** Why something was refused: the private half of a domain error. */
  readonly reason?: string;
  /** Of an unexpected error: its class and code, and where it was thrown; never its message, which may quote a request. */
  readonly error?: unknown;
  readonly component?: string;
  readonly clientId?: string;
  readonly sessionId?: string;
  readonly deviceId?: string;
  readonly identityId?: string;
  readonly endpointId?: string;
  readonly jobId?: string;
  readonly count?: number;
}

/** The log of the product. A message is a fixed text; what varies is in the fields. */
export abstract class Log {
  abstract debug(message: string, fields?: LogFields): void;
  abstract info(message: string, fields?: LogFields): void;
  abstract warn(message: string, fields?: LogFields): void;
  abstract error(message: string, fields?: LogFields): void;
}

/** Says nothing. For tests. */
export class SilentLog extends Log {
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(): void {}
}
