import { type Clock, InvalidRequest, parseId, type SessionId } from '#kernel';

import type { SessionStatus } from '../domain/session.js';
import type { StatusChanges } from '../status/status-changes.js';
import { staleAt, type StatusRecord } from '../status/status-record.js';

const ORDER: Readonly<Record<SessionStatus, number>> = { PENDING: 0, SCANNED: 1, CONFIRMED: 2, COMPLETED: 3, CANCELLED: 3, EXPIRED: 3 };

/** How often a waiting call looks at the clock, since a deadline passes without a wake-up, and, while wake-ups do not arrive, at the status; milliseconds. */
const CHECK_INTERVAL = 1_000;

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
    private readonly changes: StatusChanges,
    private readonly clock: Clock,
  ) {}

  /** `read` answers the present status; while nothing happens it is called once. Rejects as `read` does. */
  async execute(read: () => Promise<StatusRecord>, { sessionId, milliseconds, since, signal }: Wait): Promise<StatusRecord> {
    const id = parseId<SessionId>(sessionId);
    if (!id) return read();
    const until = this.clock.monotonic() + milliseconds;
    const watch = await this.changes.watch(id);
    try {
      let record = await read();
      const rank = ORDER[since ?? record.status];
      // A wake-up may be ahead of the reads of a stream: one more read follows it.
      let isDoubtful = false;
      for (;;) {
        const left = until - this.clock.monotonic();
        if (ORDER[record.status] > rank || ORDER[record.status] === ORDER.COMPLETED || left <= 0 || signal.aborted) return record;
        const isWoken = await watch.next(Math.min(left, CHECK_INTERVAL), signal);
        if (!isWoken && !isDoubtful && watch.isLive && this.clock.now() < staleAt(record)) continue;
        record = await read();
        isDoubtful = isWoken;
      }
    } finally {
      watch.close();
    }
  }
}

/** Reads the parameter `since`. Throws InvalidRequest when it is not a status. */
export const parseSince = (since: unknown): SessionStatus | undefined => {
  if (since === undefined) return undefined;
  if (typeof since === 'string' && Object.hasOwn(ORDER, since)) return since as SessionStatus;
  throw new InvalidRequest(`\`since\` must be one of ${Object.keys(ORDER).join(', ')}`);
};
