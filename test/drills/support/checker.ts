import type { Tapped } from './bus-tap.js';
import type { Entry, Journal } from './journal.js';

/** A session as `/admin/v1/sessions/{id}/timeline` and the status endpoint show it. */
export interface StoredSession {
  readonly sessionId: string;
  readonly status: string;
  /** The session signs a document; otherwise it is a login. */
  readonly isSigning?: boolean;
  readonly events: readonly { readonly type: string; readonly sequence: number }[];
}

/** The event that an acknowledged command must have left. */
const EVENT_OF: Readonly<Record<Entry['command'], string>> = {
  create: 'SessionCreated',
  claim: 'HandoffClaimed',
  scan: 'SessionScanned',
  confirm: 'SessionConfirmed',
  complete: 'SessionCompleted',
  exchange: 'CodeRedeemed',
  decline: 'SessionCancelled',
};

const SINGLE_USE: readonly Entry['command'][] = ['claim', 'complete', 'exchange'];

/** The events that may follow each event; one that is missing here ends the session. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  SessionCreated: ['HandoffClaimed', 'ScanRefused', 'SessionScanned', 'SessionCancelled', 'SessionExpired'],
  HandoffClaimed: ['LoginSuperseded', 'ScanRefused', 'SessionScanned', 'SessionCancelled', 'SessionExpired'],
  ScanRefused: ['HandoffClaimed', 'LoginSuperseded', 'ScanRefused', 'SessionScanned', 'SessionCancelled', 'SessionExpired'],
  SessionScanned: ['LoginSuperseded', 'SessionNoted', 'SessionConfirmed', 'SessionCancelled', 'SessionExpired'],
  // Of the release that the drill `upgrade` makes.
  SessionNoted: ['LoginSuperseded', 'SessionConfirmed', 'SessionCancelled', 'SessionExpired'],
  LoginSuperseded: ['ScanRefused', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'SessionCancelled', 'SessionExpired'],
  SessionConfirmed: ['LoginSuperseded', 'NumberRefused', 'SessionCompleted'],
  NumberRefused: ['LoginSuperseded', 'SessionCompleted'],
  SessionCompleted: ['CodeRedeemed'],
};

/** An approved signature whose container is not built in time is cancelled. */
const NEXT_WHEN_SIGNING: typeof NEXT = { ...NEXT, SessionConfirmed: ['SessionCompleted', 'SessionCancelled'], SessionCompleted: ['RedirectIssued'] };

/** The status that a history leads to. */
const STATUS_AFTER: Readonly<Record<string, string>> = {
  SessionCreated: 'PENDING',
  SessionScanned: 'SCANNED',
  SessionConfirmed: 'CONFIRMED',
  SessionCompleted: 'COMPLETED',
  SessionCancelled: 'CANCELLED',
  SessionExpired: 'EXPIRED',
};

/** The published type of a stored event. */
const PUBLISHED: Readonly<Record<string, string>> = {
  SessionCreated: 'session.created',
  HandoffClaimed: 'session.handoff_claimed',
  LoginSuperseded: 'session.login_superseded',
  SessionScanned: 'session.scanned',
  ScanRefused: 'session.scan_refused',
  SessionNoted: 'session.noted',
  SessionConfirmed: 'session.confirmed',
  SessionCompleted: 'session.completed',
  NumberRefused: 'session.number_refused',
  RedirectIssued: 'session.redirect_issued',
  SessionCancelled: 'session.cancelled',
  SessionExpired: 'session.expired',
  CodeRedeemed: 'session.code_redeemed',
};

/** Compares the stored sessions with the answers to clients: the invariants I1, I2, I3 and I7 of specification/reliability.md#invariants, each violation in a line. */
export const violations = (journal: Journal, sessions: ReadonlyMap<string, StoredSession>): string[] => {
  const found: string[] = [];
  for (const { command, sessionId, outcome } of journal.entries) {
    const events = sessions.get(sessionId)?.events ?? [];
    if (outcome === 'ok' && !events.some(({ type }) => type === EVENT_OF[command]))
      found.push(`I1 ${sessionId}: ${command} was acknowledged, its event is not there`);
  }
  for (const session of sessions.values()) {
    found.push(...historyViolations(session));
    for (const command of SINGLE_USE) {
      const successes = journal.outcomes(session.sessionId, command).filter((outcome) => outcome === 'ok').length;
      if (successes > 1) found.push(`I3 ${session.sessionId}: ${command} succeeded ${successes} times`);
    }
  }
  return found;
};

const historyViolations = ({ sessionId, status, events, isSigning }: StoredSession): string[] => {
  const found: string[] = [];
  const next = isSigning ? NEXT_WHEN_SIGNING : NEXT;
  let reached = '';
  events.forEach(({ type, sequence }, i) => {
    if (sequence !== i) found.push(`I2 ${sessionId}: revision ${sequence} where ${i} belongs`);
    const before = events[i - 1]?.type;
    const legal = before === undefined ? type === 'SessionCreated' : (next[before]?.includes(type) ?? false);
    if (!legal) found.push(`${before !== undefined && !(before in next) ? 'I7' : 'I2'} ${sessionId}: ${before} was followed by ${type}`);
    reached = STATUS_AFTER[type] ?? reached;
  });
  const types = events.map(({ type }) => type);
  for (const type of new Set(types)) {
    if (type !== 'ScanRefused' && types.filter((same) => same === type).length > 1) found.push(`I3 ${sessionId}: ${type} twice`);
  }
  if (status !== reached) found.push(`I1 ${sessionId}: the status says ${status}, its events say ${reached}`);
  return found;
};

/** Compares the records on the bus with the stored events of these sessions: the invariant I4, each violation in a line. */
export const busViolations = (sessions: ReadonlyMap<string, StoredSession>, records: readonly Tapped[]): string[] => {
  const bySession = Map.groupBy(records, ({ key }) => key);
  return [...sessions.values()].flatMap((session) => publicationViolations(session, bySession.get(session.sessionId) ?? []));
};

const publicationViolations = ({ sessionId, events }: StoredSession, records: readonly Tapped[]): string[] => {
  const found: string[] = [];
  const first = new Map<number, Tapped>();
  let highest = -1;
  for (const record of records) {
    const { revision, type, id, content, partition } = record;
    const event = events.find(({ sequence }) => sequence === revision);
    if (event === undefined) found.push(`I4 ${sessionId}: revision ${revision} is on the bus and not in the store`);
    else if (type !== PUBLISHED[event.type]) found.push(`I4 ${sessionId}: ${event.type} is on the bus as ${type}`);
    if (partition !== records[0]!.partition) found.push(`I4 ${sessionId}: on the partitions ${partition} and ${records[0]!.partition}`);
    const same = first.get(revision);
    if (same !== undefined) {
      if (same.id !== id || same.content !== content) found.push(`I4 ${sessionId}: revision ${revision} differs from its repetition`);
      continue;
    }
    if (revision < highest) found.push(`I4 ${sessionId}: revision ${revision} comes first after ${highest}`);
    highest = Math.max(revision, highest);
    first.set(revision, record);
  }
  if (new Set([...first.values()].map(({ id }) => id)).size < first.size) found.push(`I4 ${sessionId}: two events under one id`);
  for (const { sequence, type } of events) {
    if (!first.has(sequence)) found.push(`I4 ${sessionId}: ${type}, revision ${sequence}, is not on the bus`);
  }
  return found;
};
