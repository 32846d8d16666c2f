import { Note, parseId, type SessionId } from '#kernel';
import { type EventStore, idOf, type RecordedEvent, type StreamName } from '#engines/event-store';
import { type CloudEvent, type Publication, UnpublishableEvent } from '#engines/message-bus';

import type { PushStatus, SessionCancelled, SessionEvent, SignatureType } from './domain/session.events.js';
import type { SessionStatus } from './domain/session.js';
import { envelopeOf, isSessionEvent, isSignatureType, isStatus, type SessionEnvelope } from './repositories/session-envelope.js';
import { SESSIONS } from './streams.js';

/** The data of a published event: enough for a consumer to decide whether it has to act. The stream holds the rest. */
export type SessionFacts = {
  readonly sessionId: SessionId;
  readonly clientId: string;
  readonly signatureType: SignatureType;
  /** After the event. */
  readonly status: SessionStatus;
  /** When it happened, epoch milliseconds. */
  readonly at: number;
  /** Of `session.created`: when the session ends unless it is confirmed, epoch milliseconds. */
  readonly expiresAt?: number;
  /** Of `session.created`. */
  readonly push?: PushStatus;
  /** Of `session.cancelled`. */
  readonly reason?: SessionCancelled['data']['reason'];
};

export const SESSION_EVENTS_TOPIC = 'sessions.events.v1';

/** The consumer groups of the topic. Each has an offset of its own. */
export const CONSUMER_GROUPS = { signing: 'signing', webhooks: 'webhooks', timers: 'timers', statuses: 'session-status' } as const;

/** The only map from stored to published events. */
const PUBLISHED = {
  SessionCreated: 'session.created',
  HandoffClaimed: 'session.handoff_claimed',
  LoginSuperseded: 'session.login_superseded',
  SessionScanned: 'session.scanned',
  ScanRefused: 'session.scan_refused',
  SessionConfirmed: 'session.confirmed',
  SessionCompleted: 'session.completed',
  NumberRefused: 'session.number_refused',
  RedirectIssued: 'session.redirect_issued',
  SessionCancelled: 'session.cancelled',
  SessionExpired: 'session.expired',
  CodeRedeemed: 'session.code_redeemed',
} as const satisfies Readonly<Record<SessionEvent['type'], `session.${string}`>>;

const TYPES: ReadonlySet<string> = new Set(Object.values(PUBLISHED));

/** The messages of the events in memory, because each group of consumers in the process asks for the message of the same event. */
const made = new Note<RecordedEvent, CloudEvent<SessionFacts>>();

/** The events of all sessions as messages of `sessions.events.v1`, each made from the event alone. They hold nothing secret or personal. */
export class SessionPublication implements Publication {
  readonly categories = [SESSIONS.category];
  readonly types = TYPES;

  constructor(
    private readonly store: EventStore,
    readonly topic: string = SESSION_EVENTS_TOPIC,
  ) {}

  async message(event: RecordedEvent): Promise<CloudEvent<SessionFacts>> {
    const known = made.get(event);
    if (known) return known;
    const envelope = envelopeOf(event);
    if (!isSessionEvent(event) || !envelope) throw new UnpublishableEvent(event);
    const message = messageOf(event, envelope);
    made.set(event, message);
    return message;
  }

  typeOf(event: RecordedEvent): string | undefined {
    return isSessionEvent(event) && envelopeOf(event) ? PUBLISHED[event.type] : undefined;
  }

  streamOf(subject: string): StreamName {
    return SESSIONS.of(subject);
  }

  async messagesOf(subject: string, first: number, last: number): Promise<readonly CloudEvent<SessionFacts>[]> {
    const events = await this.store.read(this.streamOf(subject), { from: first, limit: last - first + 1 });
    const messages: CloudEvent<SessionFacts>[] = [];
    for (const event of events) {
      const message = await this.message(event).catch(unlessUnpublishable);
      if (message) messages.push(message);
    }
    return messages;
  }

  refuse({ type, subject, data }: CloudEvent): string | undefined {
    if (!TYPES.has(type)) return 'unknown type';
    const { sessionId, clientId, signatureType, status, at } = data;
    const valid =
      sessionId === subject &&
      parseId(sessionId) === sessionId &&
      typeof clientId === 'string' &&
      isSignatureType(signatureType) &&
      isStatus(status) &&
      Number.isSafeInteger(at);
    return valid ? undefined : `data does not have the shape of ${type}`;
  }
}

/** For a caller that leaves out what this release cannot publish. */
export const unlessUnpublishable = (error: unknown): undefined => {
  if (!(error instanceof UnpublishableEvent)) throw error;
};

const messageOf = (event: RecordedEvent<SessionEvent>, { clientId, signatureType, status }: SessionEnvelope): CloudEvent<SessionFacts> => {
  const sessionId = idOf<SessionId>(event.stream);
  const { at } = event.data;
  return Object.freeze({
    specversion: '1.0',
    id: event.id,
    source: '/sessions',
    type: PUBLISHED[event.type],
    subject: sessionId,
    time: new Date(at).toISOString(),
    esrevision: event.revision,
    ...(event.metadata?.traceparent && { traceparent: event.metadata.traceparent }),
    data: Object.freeze({ sessionId, clientId, signatureType, status, at, ...extras(event) }),
  });
};

const extras = (event: SessionEvent): Pick<SessionFacts, 'expiresAt' | 'push' | 'reason'> => {
  if (event.type === 'SessionCreated') return { expiresAt: event.data.expiresAt, push: event.data.pushStatus };
  return event.type === 'SessionCancelled' ? { reason: event.data.reason } : {};
};
