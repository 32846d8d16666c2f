import { type Clock, parseId, type SessionId } from '#kernel';
import { type EventStore, idOf, type RecordedEvent, type StreamName, streamName } from '#event-store';
import { type CloudEvent, type Publication, UnpublishableEvent } from '#message-bus';

import type { PushStatus, SessionCancelled, SessionEvent, SignatureType } from './domain/session.events.js';
import type { SessionStatus } from './domain/session.js';
import { type SessionSnapshot, SessionSnapshots } from './read-models/session-snapshots.js';

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

/** The only map from stored to published events. */
const PUBLISHED = {
  SessionCreated: 'session.created',
  HandoffClaimed: 'session.handoff_claimed',
  LoginSuperseded: 'session.login_superseded',
  SessionScanned: 'session.scanned',
  ScanRefused: 'session.scan_refused',
  SessionConfirmed: 'session.confirmed',
  SessionCompleted: 'session.completed',
  RedirectIssued: 'session.redirect_issued',
  SessionCancelled: 'session.cancelled',
  SessionExpired: 'session.expired',
  CodeRedeemed: 'session.code_redeemed',
} as const satisfies Readonly<Record<SessionEvent['type'], `session.${string}`>>;

const TYPES: ReadonlySet<string> = new Set(Object.values(PUBLISHED));
const STATUSES: ReadonlySet<unknown> = new Set<SessionStatus>(['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED']);

/** The events of all sessions as messages of `sessions.events.v1`. They hold nothing secret or personal. */
export class SessionPublication implements Publication {
  readonly categories = ['session'];
  readonly types = TYPES;
  readonly #snapshots: SessionSnapshots;
  /** The embedded bus calls once for each consumer group, with the same event. */
  readonly #messages = new WeakMap<RecordedEvent, Promise<CloudEvent<SessionFacts> | undefined>>();

  constructor(
    private readonly store: EventStore,
    clock: Clock,
    readonly topic: string = SESSION_EVENTS_TOPIC,
  ) {
    this.#snapshots = new SessionSnapshots(store, isKnown, clock);
  }

  message(event: RecordedEvent): Promise<CloudEvent<SessionFacts> | undefined> {
    const known = this.#messages.get(event);
    if (known) return known;
    const message = this.#message(event);
    this.#messages.set(event, message);
    // The next call tries again.
    message.catch(() => this.#messages.delete(event));
    return message;
  }

  async #message(event: RecordedEvent): Promise<CloudEvent<SessionFacts> | undefined> {
    if (!isKnown(event)) throw new UnpublishableEvent(event);
    const snapshot = await this.#snapshots.at(event);
    return snapshot && messageOf(event, snapshot);
  }

  streamOf(subject: string): StreamName {
    return streamName('session', subject);
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
      (signatureType === 'AUTHENTICATION' || signatureType === 'SIGNING') &&
      STATUSES.has(status) &&
      Number.isSafeInteger(at);
    return valid ? undefined : `data does not have the shape of ${type}`;
  }
}

const isKnown = (event: RecordedEvent): event is RecordedEvent<SessionEvent> => Object.hasOwn(PUBLISHED, event.type);

const unlessUnpublishable = (error: unknown): undefined => {
  if (!(error instanceof UnpublishableEvent)) throw error;
};

const messageOf = (event: RecordedEvent<SessionEvent>, { clientId, signatureType, status }: SessionSnapshot): CloudEvent<SessionFacts> => {
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
    data: Object.freeze({ sessionId, clientId, signatureType, status, at, ...extras(event) }),
  });
};

const extras = (event: SessionEvent): Pick<SessionFacts, 'expiresAt' | 'push' | 'reason'> => {
  if (event.type === 'SessionCreated') return { expiresAt: event.data.expiresAt, push: event.data.pushStatus };
  return event.type === 'SessionCancelled' ? { reason: event.data.reason } : {};
};
