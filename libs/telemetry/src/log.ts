/** All fields that a log line may hold. There is no field for a query, a header, a body or a name. */
export interface LogFields {
  readonly requestId?: string;
  readonly method?: string;
  /** The pattern of the route, never the requested path. */
  readonly route?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly errorCode?: string;
  /** The private reason of a refusal (DomainError.reason). */
  readonly reason?: string;
  /** An unexpected error. Its class, code and stack are logged, never its message, which may quote a request. */
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

/** The log of the service. A message is a fixed text; the fields hold the data. */
export abstract class Log {
  abstract debug(message: string, fields?: LogFields): void;
  abstract info(message: string, fields?: LogFields): void;
  abstract warn(message: string, fields?: LogFields): void;
  abstract error(message: string, fields?: LogFields): void;
}

/** Logs nothing. For tests. */
export class SilentLog extends Log {
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(): void {}
}
