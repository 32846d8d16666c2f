/** The egress proxy itself is the reason why there is no connection: it does not answer, or refuses. The message says what to correct. */
export class EgressProxyFailed extends Error {
  override readonly name = 'EgressProxyFailed';
  readonly code = 'ERR_EGRESS_PROXY';
}

/** The proxy answers, and does not reach the target. */
export class TargetUnreached extends Error {
  override readonly name = 'TargetUnreached';
  readonly code = 'ERR_TARGET_UNREACHED';
}

/** Nothing happened within the time for a connection. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
  readonly code = 'ETIMEDOUT';
}
