import type { ClientId } from '#kernel';

import { endOf, type HostedLogin, readableUntil, type SessionStatus, type StartedSession } from '../domain/session.js';

/** The facts that a status endpoint needs about a session. Nothing of it is secret or personal. Times are epoch milliseconds. */
export interface StatusRecord {
  readonly clientId: ClientId;
  readonly status: SessionStatus;
  /** When the session ended; while it is open, when it ends unless something happens before. */
  readonly endsAt: number;
  /** From then on the session counts as unknown. */
  readonly readableUntil: number;
  readonly login?: HostedLogin;
  /** When the session was created, if its QR code changes each second. */
  readonly qrFrom?: number;
}

export const statusRecord = (session: StartedSession): StatusRecord => ({
  clientId: session.terms.clientId,
  status: session.status,
  endsAt: endOf(session),
  readableUntil: readableUntil(session),
  ...(session.login && { login: session.login }),
  ...(session.terms.dynamicQr && { qrFrom: session.createdAt }),
});

const isOpen = ({ status }: StatusRecord): boolean => status === 'PENDING' || status === 'SCANNED';

/** When the record becomes stale. From then on only the stream tells the status. */
export const staleAt = (record: StatusRecord): number => (isOpen(record) ? record.endsAt : record.readableUntil);

/** Whether a status endpoint may answer from both records alike. */
export const isSame = (one: StatusRecord, other: StatusRecord): boolean =>
  one.status === other.status &&
  one.endsAt === other.endsAt &&
  one.readableUntil === other.readableUntil &&
  one.login?.eventId === other.login?.eventId &&
  one.login?.superseded === other.login?.superseded;

/** The deadline of a session that is open, epoch milliseconds. */
export const deadlineOfRecord = (record: StatusRecord): number | undefined => (isOpen(record) ? record.endsAt : undefined);
