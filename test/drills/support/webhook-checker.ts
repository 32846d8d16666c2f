import { expectOk, type Staff } from '../../support/index.js';
import type { StoredSession } from './checker.js';
import { untilAnswered } from './retry.js';
import { inTurns } from './stored-sessions.js';

/** A stored event that webhooks tell of. */
export interface RequiredMessage {
  readonly type: string;
  readonly sessionId: string;
  readonly sequence: number;
}

/** A delivery as `GET …/deliveries` shows it. */
export interface Delivery {
  readonly deliveryId: string;
  /** Absent for a ping. */
  readonly sessionId?: string;
  readonly type: string;
  readonly state: string;
  /** Epoch seconds: when the attempt ended. */
  readonly attempts: readonly { readonly at: number; readonly status?: number; readonly error?: string }[];
  /** Epoch seconds, while it is pending. */
  readonly nextAttemptAt?: number;
}

/** A message as its receiver saw it; `taken`: it was answered with 2xx. */
export interface Seen extends RequiredMessage {
  readonly id: string;
  readonly taken: boolean;
}

export interface EndpointHistory {
  readonly name: string;
  readonly deliveries: readonly Delivery[];
  readonly received: readonly Seen[];
}

export const TERMINAL: ReadonlySet<string> = new Set(['succeeded', 'lapsed', 'superseded', 'exhausted', 'disabled']);

const TYPES: Readonly<Record<string, string>> = {
  SessionScanned: 'session.scanned',
  SessionConfirmed: 'session.confirmed',
  SessionCompleted: 'session.completed',
  SessionCancelled: 'session.cancelled',
  SessionExpired: 'session.expired',
};

/** The messages that stored sessions require; signatures are announced as scanned and completed, never as confirmed. */
export const messagesRequiredBy = (sessions: Iterable<Pick<StoredSession, 'sessionId' | 'isSigning' | 'events'>>): readonly RequiredMessage[] =>
  [...sessions].flatMap(({ sessionId, isSigning = false, events }) =>
    events.flatMap(({ type, sequence }) => {
      const required = type === 'SessionConfirmed' && isSigning ? undefined : TYPES[type];
      return required === undefined ? [] : [{ type: required, sessionId, sequence }];
    }),
  );

/** The messages that the streams of those sessions require. */
export const requiredMessages = async (
  staff: Staff,
  sessionIds: Iterable<string>,
  signings: ReadonlySet<string> = new Set(),
): Promise<readonly RequiredMessage[]> => {
  const all: RequiredMessage[] = [];
  await inTurns([...sessionIds], async (sessionId) => {
    const events = expectOk(await untilAnswered(() => staff.timeline(sessionId)))['events'] as StoredSession['events'];
    all.push(...messagesRequiredBy([{ sessionId, isSigning: signings.has(sessionId), events }]));
  });
  return all;
};

const nameOf = ({ type, sessionId }: Pick<RequiredMessage, 'type' | 'sessionId'>): string => `${type} of ${sessionId}`;

/**
 * Compares the fate of the messages to an endpoint with the stored events and the messages of its receiver: the invariants I5 and I6 of
 * specification/reliability.md#invariants, each violation in a line. Messages about anything but the sessions of `required`, pings for instance, are left out.
 */
export const deliveryViolations = (required: readonly RequiredMessage[], { name, deliveries, received }: EndpointHistory): string[] => {
  const found: string[] = [];
  const sessions = new Set(required.map(({ sessionId }) => sessionId));
  const stored = new Map(required.map((event) => [nameOf(event), event]));
  const about = deliveries.flatMap((delivery) =>
    delivery.sessionId !== undefined && sessions.has(delivery.sessionId) ? [{ ...delivery, sessionId: delivery.sessionId }] : [],
  );
  const ofEvent = Map.groupBy(about, nameOf);
  const byId = new Set(about.map(({ deliveryId }) => deliveryId));
  const taken = new Set(received.flatMap(({ id, taken: answered }) => (answered ? [id] : [])));

  for (const event of stored.keys()) {
    const count = ofEvent.get(event)?.length ?? 0;
    if (count !== 1) found.push(`I5 ${name}: ${count} deliveries of ${event}`);
  }
  for (const delivery of about) {
    if (!stored.has(nameOf(delivery))) found.push(`I6 ${name}: a delivery of ${nameOf(delivery)}, which is not stored`);
    if (!TERMINAL.has(delivery.state)) found.push(`I5 ${name}: ${nameOf(delivery)} is ${delivery.state}`);
    if (delivery.state === 'succeeded' && !taken.has(delivery.deliveryId))
      found.push(`I5 ${name}: ${nameOf(delivery)} succeeded, and the receiver did not see it`);
  }
  for (const seen of received) {
    if (!sessions.has(seen.sessionId)) continue;
    const event = stored.get(nameOf(seen));
    if (event?.sequence !== seen.sequence) found.push(`I6 ${name}: received ${nameOf(seen)} with the sequence ${seen.sequence}, which is not stored`);
    if (!byId.has(seen.id)) found.push(`I6 ${name}: received ${nameOf(seen)} under an id that no delivery has`);
  }
  return found;
};

/** Violations of the order: a message that came for the first time after one of a later event of its session. */
export const orderViolations = ({ name, received }: Pick<EndpointHistory, 'name' | 'received'>): string[] => {
  const highest = new Map<string, number>();
  const ids = new Set<string>();
  return received.flatMap(({ id, sessionId, sequence }) => {
    const before = highest.get(sessionId) ?? -1;
    const overtaken = !ids.has(id) && sequence < before;
    ids.add(id);
    highest.set(sessionId, Math.max(sequence, before));
    return overtaken ? [`order ${name}: ${sequence} after ${before} of ${sessionId}`] : [];
  });
};
