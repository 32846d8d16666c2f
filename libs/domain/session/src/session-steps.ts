import { categoryOf, type NewEvent, type StreamName } from '#engines/event-store';

import type { SessionEvent } from './domain/session.events.js';
import { isSignatureType } from './repositories/session-envelope.js';
import { SESSIONS } from './streams.js';

interface SessionStep {
  readonly kind: 'login' | 'signing';
  readonly step: string;
}

/** The steps that happen once in a session. The last step of a login is `redeemed`, of a signature `completed`; `cancelled` and `expired` end it early. */
const STEPS: Readonly<Record<SessionEvent['type'], string | undefined>> = {
  SessionCreated: 'created',
  HandoffClaimed: 'page_opened',
  SessionScanned: 'scanned',
  SessionConfirmed: 'confirmed',
  SessionCompleted: 'completed',
  CodeRedeemed: 'redeemed',
  SessionCancelled: 'cancelled',
  SessionExpired: 'expired',
  LoginSuperseded: undefined,
  ScanRefused: undefined,
  NumberRefused: undefined,
  RedirectIssued: undefined,
};

/** The steps that an append to the stream has recorded, for metrics. Only streams of sessions have steps. */
export const stepsOf = (stream: StreamName, events: readonly NewEvent[]): readonly SessionStep[] =>
  categoryOf(stream) !== SESSIONS.category ? [] : events.flatMap((event) => stepOf(event) ?? []);

const stepOf = ({ type, metadata }: NewEvent): SessionStep | undefined => {
  const step = Object.hasOwn(STEPS, type) ? STEPS[type as SessionEvent['type']] : undefined;
  const signatureType = metadata?.['signatureType'];
  if (step === undefined || !isSignatureType(signatureType)) return undefined;
  return { kind: signatureType === 'AUTHENTICATION' ? 'login' : 'signing', step };
};
