import { type ClientId, epochSeconds, parseId, type SessionId } from '#kernel';

import type { SessionStatus } from '../domain/session.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SessionStatuses } from '../status/session-statuses.js';
import { deadlineOfRecord, type StatusRecord } from '../status/status-record.js';

export interface StatusView {
  readonly status: SessionStatus;
  /** Epoch seconds; only while the session is open. */
  readonly expiresAt?: number;
}

export const statusView = (record: StatusRecord): StatusView => {
  const deadline = deadlineOfRecord(record);
  return { status: record.status, ...(deadline !== undefined && { expiresAt: epochSeconds(deadline) }) };
};

/** GET status. */
export class GetSessionStatus {
  constructor(private readonly statuses: SessionStatuses) {}

  /** The same without a promise, from memory. Undefined where {@link execute} has to tell: it also refuses. */
  recent(sessionId: string, clientId: ClientId): StatusRecord | undefined {
    const id = parseId<SessionId>(sessionId);
    const record = id && this.statuses.recent(id);
    return record?.clientId === clientId ? record : undefined;
  }

  /** Throws SessionNotFound for an unknown session, another client's, and one whose record is no longer kept. */
  async execute(sessionId: string, clientId: ClientId): Promise<StatusRecord> {
    const id = parseId<SessionId>(sessionId);
    const record = id && (await this.statuses.find(id));
    if (!record) throw new SessionNotFound(id ? 'unknown session' : 'no UUID');
    if (record.clientId !== clientId) throw new SessionNotFound('another client');
    return record;
  }
}
