import { type Clock, InvalidRequest } from '#kernel';
import type { StreamChanges } from '#event-store';

import type { SessionStatus } from '../domain/session.js';
import type { StatusView } from './get-session-status.js';

const ORDER: Readonly<Record<SessionStatus, number>> = { PENDING: 0, SCANNED: 1, CONFIRMED: 2, COMPLETED: 3, CANCELLED: 3, EXPIRED: 3 };

/** A deadline passes without an event, hence without a wake-up, so read again at this interval; milliseconds. */
const REREAD_INTERVAL = 1_000;

export interface Wait {
  readonly sessionId: string;
  /** The longest wait. */
  readonly milliseconds: number;
  /** The status that the caller knows; default: the status at the time of the call. */
  readonly since: SessionStatus | undefined;
  /** Aborted when the caller disconnects or the service shuts down. */
  readonly signal: AbortSignal;
}

/** Long polling (specification/relying-party.md#long-polling): holds the answer until the status is later than `since`, terminal, or the time is up. */
export class WaitForStatus {
  constructor(
    private readonly changes: StreamChanges,
    private readonly clock: Clock,
  ) {}

  /** `read` answers the present status. Rejects as `read` does. */
  async execute(read: () => Promise<StatusView>, { sessionId, milliseconds, since, signal }: Wait): Promise<StatusView> {
    const until = this.clock.monotonic() + milliseconds;
    let view = await read();
    const rank = ORDER[since ?? view.status];
    for (;;) {
      const left = until - this.clock.monotonic();
      if (ORDER[view.status] > rank || ORDER[view.status] === ORDER.COMPLETED || left <= 0 || signal.aborted) return view;
      await this.changes.next(sessionId, Math.min(left, REREAD_INTERVAL), signal);
      view = await read();
    }
  }
}

/** Reads the parameter `since`. Throws InvalidRequest when it is not a status. */
export const parseSince = (since: unknown): SessionStatus | undefined => {
  if (since === undefined) return undefined;
  if (typeof since === 'string' && Object.hasOwn(ORDER, since)) return since as SessionStatus;
  throw new InvalidRequest(`\`since\` must be one of ${Object.keys(ORDER).join(', ')}`);
};
