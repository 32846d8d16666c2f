import { parseId, type SessionId } from '#kernel';
import { type EventStore, type RecordedEvent, streamName } from '#event-store';
import { type CloudEvent, type Publication, UnpublishableEvent } from '#message-bus';

import type { PushStatus, SessionCancelled, SessionEvent, SignatureType } from './domain/session.events.js';
import type { SessionStatus } from './domain/session.js';
import { type StoryAt, SessionStories } from './session-stories.js';

/** What is published of a session: enough to know whether one has to act. Who needs more reads the stream. */
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

/** THE map from stored to published events. */
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

export type SessionEventType = (typeof PUBLISHED)[SessionEvent['type']];

const TYPES: ReadonlySet<string> = new Set(Object.values(PUBLISHED));
const STATUSES: ReadonlySet<unknown> = new Set<SessionStatus>(['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED']);

/** The events of all sessions, as messages of `sessions.events.v1`. Nothing secret or personal is among them. */
export class SessionPublication implements Publication {
  readonly categories = ['session'];
  readonly types = TYPES;
  readonly #stories: SessionStories;
  /** The embedded bus asks once for each group, with the same event. */
  readonly #messages = new WeakMap<RecordedEvent, Promise<CloudEvent<SessionFacts> | undefined>>();

  constructor(
    private readonly store: EventStore,
    readonly topic: string = SESSION_EVENTS_TOPIC,
  ) {
    this.#stories = new SessionStories(store, isKnown);
  }

  message(event: RecordedEvent): Promise<CloudEvent<SessionFacts> | undefined> {
    const known = this.#messages.get(event);
    if (known) return known;
    const message = this.#message(event);
    this.#messages.set(event, message);
    // What failed is tried anew by whoever asks next.
    message.catch(() => this.#messages.delete(event));
    return message;
  }

  async #message(event: RecordedEvent): Promise<CloudEvent<SessionFacts> | undefined> {
    if (!isKnown(event)) throw new UnpublishableEvent(event);
    const story = await this.#stories.at(event);
    return story && describe(event, story);
  }

  async messagesOf(subject: string, first: number, last: number): Promise<readonly CloudEvent<SessionFacts>[]> {
    const events = await this.store.read(streamName('session', subject), { from: first, limit: last - first + 1 });
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
    const understood =
      sessionId === subject &&
      parseId(sessionId) === sessionId &&
      typeof clientId === 'string' &&
      (signatureType === 'AUTHENTICATION' || signatureType === 'SIGNING') &&
      STATUSES.has(status) &&
      Number.isSafeInteger(at);
    return understood ? undefined : `data is not what ${type} promises`;
  }
}

const isKnown = <Event extends Pick<RecordedEvent, 'type'>>(event: Event): event is Event & Pick<SessionEvent, 'type'> => Object.hasOwn(PUBLISHED, event.type);

const unlessUnpublishable = (error: unknown): undefined => {
  if (!(error instanceof UnpublishableEvent)) throw error;
};

const describe = (recorded: RecordedEvent, { clientId, signatureType, status }: StoryAt): CloudEvent<SessionFacts> => {
  const event = recorded as unknown as SessionEvent;
  const sessionId = recorded.stream.slice('session-'.length) as SessionId;
  const { at } = event.data;
  return Object.freeze({
    specversion: '1.0',
    id: recorded.id,
    source: '/sessions',
    type: PUBLISHED[event.type],
    subject: sessionId,
    time: new Date(at).toISOString(),
    esrevision: recorded.revision,
    data: Object.freeze({ sessionId, clientId, signatureType, status, at, ...extras(event) }),
  });
};

const extras = (event: SessionEvent): Pick<SessionFacts, 'expiresAt' | 'push' | 'reason'> => {
  if (event.type === 'SessionCreated') return { expiresAt: event.data.expiresAt, push: event.data.pushStatus };
  return event.type === 'SessionCancelled' ? { reason: event.data.reason } : {};
};
