import { type EventMetadata, isKnown, type RecordedEvent } from '#engines/event-store';
import type { ClientId } from '#kernel';

import { SESSION_EVENTS, type SessionEvent, type SignatureType, versionOf } from '../domain/session.events.js';
import { type Session, SESSION_STATUSES, type SessionStatus } from '../domain/session.js';

/** The metadata of a session's event: the client of the session, and the status after the event. */
export type SessionEnvelope = {
  readonly clientId: ClientId;
  readonly signatureType: SignatureType;
  readonly status: SessionStatus;
};

/** Whether this build knows the event's type and version. A newer build may have written others. */
export const isSessionEvent = (event: RecordedEvent): event is RecordedEvent<SessionEvent> => isKnown(SESSION_EVENTS, event);

export const envelopeAfter = (session: Session): SessionEnvelope | undefined => {
  if (session.status === 'NONE') return undefined;
  const { terms, status } = session;
  return { clientId: terms.clientId, signatureType: terms.signatureType, status };
};

/** The metadata of the event that has led to this session. */
export const metadataAfter = (session: Session): EventMetadata => ({
  v: session.status === 'NONE' ? SESSION_EVENTS.version : versionOf(session.terms, 'grant' in session ? session.grant.redemption?.jkt : undefined),
  ...envelopeAfter(session),
});

/** Undefined for an event that tells no session's client or status. */
export const envelopeOf = ({ metadata }: Pick<RecordedEvent, 'metadata'>): SessionEnvelope | undefined => {
  const { clientId, signatureType, status }: Partial<EventMetadata> = metadata ?? {};
  if (typeof clientId !== 'string' || !isSignatureType(signatureType) || !isStatus(status)) return undefined;
  return { clientId: clientId as ClientId, signatureType, status };
};

export const isSignatureType = (value: unknown): value is SignatureType => value === 'AUTHENTICATION' || value === 'SIGNING';

export const isStatus = (value: unknown): value is SessionStatus => SESSION_STATUSES.has(value);
