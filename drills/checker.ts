import type { Entry, Journal } from './journal.js';

/** A session as `/admin/v1/sessions/{id}/timeline` and the status endpoint show it. */
export interface Recorded {
  readonly sessionId: string;
  readonly status: string;
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

/** What may follow what; an event that is missing here ends the session. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  SessionCreated: ['HandoffClaimed', 'ScanRefused', 'SessionScanned', 'SessionCancelled', 'SessionExpired'],
  HandoffClaimed: ['LoginSuperseded', 'ScanRefused', 'SessionScanned', 'SessionCancelled', 'SessionExpired'],
  ScanRefused: ['HandoffClaimed', 'LoginSuperseded', 'ScanRefused', 'SessionScanned', 'SessionCancelled', 'SessionExpired'],
  SessionScanned: ['LoginSuperseded', 'SessionConfirmed', 'SessionCancelled', 'SessionExpired'],
  LoginSuperseded: ['ScanRefused', 'SessionScanned', 'SessionConfirmed', 'SessionCompleted', 'SessionCancelled', 'SessionExpired'],
  SessionConfirmed: ['LoginSuperseded', 'SessionCompleted'],
  SessionCompleted: ['CodeRedeemed'],
};

/** The status that a history leads to. */
const STATUS_AFTER: Readonly<Record<string, string>> = {
  SessionCreated: 'PENDING',
  SessionScanned: 'SCANNED',
  SessionConfirmed: 'CONFIRMED',
  SessionCompleted: 'COMPLETED',
  SessionCancelled: 'CANCELLED',
  SessionExpired: 'EXPIRED',
};

/** Holds what is stored against what was answered: the invariants I1, I2, I3 and I7 of the reliability paper, each violation in a line. */
export const violations = (journal: Journal, sessions: ReadonlyMap<string, Recorded>): string[] => {
  const found: string[] = [];
  for (const { command, sessionId, outcome } of journal.entries) {
    const events = sessions.get(sessionId)?.events ?? [];
    if (outcome === 'ok' && !events.some(({ type }) => type === EVENT_OF[command])) found.push(`I1 ${sessionId}: ${command} was acknowledged, its event is not there`);
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

const historyViolations = ({ sessionId, status, events }: Recorded): string[] => {
  const found: string[] = [];
  let reached = '';
  events.forEach(({ type, sequence }, i) => {
    if (sequence !== i) found.push(`I2 ${sessionId}: revision ${sequence} where ${i} belongs`);
    const before = events[i - 1]?.type;
    const legal = before === undefined ? type === 'SessionCreated' : (NEXT[before]?.includes(type) ?? false);
    if (!legal) found.push(`${before !== undefined && !(before in NEXT) ? 'I7' : 'I2'} ${sessionId}: ${before} was followed by ${type}`);
    reached = STATUS_AFTER[type] ?? reached;
  });
  const types = events.map(({ type }) => type);
  for (const type of new Set(types)) {
    if (type !== 'ScanRefused' && types.filter((same) => same === type).length > 1) found.push(`I3 ${sessionId}: ${type} twice`);
  }
  if (status !== reached) found.push(`I1 ${sessionId}: the status says ${status}, its events say ${reached}`);
  return found;
};
