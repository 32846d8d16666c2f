import type { Watch } from '#kernel';

export interface StatusWatch extends Watch {
  /** Whether wake-ups arrive. While they do not, a waiting caller looks from time to time. */
  readonly isLive: boolean;
}

/** Wakes callers that wait for a change of a session's status. It is only a hint: a woken caller reads the status. */
export interface StatusChanges {
  /** Resolves, in a bounded time, when each later change wakes the watch, or with a watch that is not live. `sessionId` is a UUID in lower case. */
  watch(sessionId: string): StatusWatch | Promise<StatusWatch>;
}
