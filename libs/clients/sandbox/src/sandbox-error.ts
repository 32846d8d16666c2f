/** What a helper throws: the sandbox did not start, cannot be reached, or refused a call. The message says what to do. */
export class SandboxError extends Error {
  /** The sandbox's code of a refused call, such as `invalid_request`; otherwise undefined. */
  readonly errorCode: string | undefined;

  constructor(message: string, { errorCode, cause }: { readonly errorCode?: string | undefined; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'SandboxError';
    this.errorCode = errorCode;
  }
}
