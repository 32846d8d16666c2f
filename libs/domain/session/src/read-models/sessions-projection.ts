import type { Transaction } from 'kysely';

import { idOf, type RecordedEvent } from '#engines/event-store';
import type { ClientId, SessionId } from '#kernel';
import type { Projection } from '#engines/read-model';

import type { SessionStatus } from '../domain/session.js';
import type { CancelReason, SessionEvent, SignatureType } from '../domain/session.events.js';
import { SESSIONS } from '../streams.js';

export interface SessionRow {
  readonly session_id: SessionId;
  readonly client_id: ClientId;
  readonly signature_type: SignatureType;
  readonly status: SessionStatus;
  readonly reason: CancelReason | null;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Of the last change of the status, epoch milliseconds. */
  readonly changed_at: number;
  /** Of the event that made the status. */
  readonly revision: number;
}

export interface SessionTables {
  /** One row for each session that is stored, and for some that were deleted within the last hour. */
  sessions_v1: SessionRow;
}

/** Milliseconds. No request waits for these rows. */
const LINGER = 200;
/** Rows of deleted sessions are removed at about one of so many creations, at most so many at once. */
const SWEEP_EACH = 50n;
const SWEPT_AT_MOST = 500;
/** More than the time from a session's creation to its end, in milliseconds. */
export const LONGEST_SESSION = 3_600_000;

/** Sessions that were created before this time have been deleted. Epoch milliseconds; `retention` is how long a session is stored after its end. */
export const oldestStored = (now: number, retention: number): number => now - retention - LONGEST_SESSION;

/** The status that each event leads to. A confirmed signature stays SCANNED until its container is built. */
const STATUS_AFTER: Partial<Record<SessionEvent['type'], SessionStatus>> = {
  SessionScanned: 'SCANNED',
  SessionConfirmed: 'CONFIRMED',
  SessionCompleted: 'COMPLETED',
  SessionCancelled: 'CANCELLED',
  SessionExpired: 'EXPIRED',
};

const statusAfter = ({ type }: Pick<RecordedEvent, 'type'>): SessionStatus | undefined => STATUS_AFTER[type as SessionEvent['type']];

/**
 * The sessions with their status, for operators. It follows the store, in one of the registry's processes. Rows hold random ids, times and states. They
 * hold no secret, no text of a client, and nothing that identifies a person. `retention` is in milliseconds.
 */
export const sessionsProjection = (retention: number): Projection<SessionTables, SessionEvent> => ({
  name: 'sessions',
  version: 1,
  tables: ['sessions_v1'],
  categories: [SESSIONS.category],
  linger: LINGER,
  concerns: (event) => event.type === 'SessionCreated' || statusAfter(event) !== undefined,

  async create({ schema }) {
    await schema
      .createTable('sessions_v1')
      .addColumn('session_id', 'text', (column) => column.primaryKey())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('signature_type', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute();
    const index = (name: string, columns: readonly (keyof SessionRow)[]) =>
      schema
        .createIndex(`sessions_v1_by_${name}`)
        .on('sessions_v1')
        .columns([...columns, 'created_at', 'session_id'])
        .execute();
    await index('time', []);
    await index('client', ['client_id']);
    await index('status', ['status']);
  },

  apply: (transaction, event) => applyAll(transaction, [event], retention),
  applyAll: (transaction, events) => applyAll(transaction, events, retention),
});

type Change = Pick<SessionRow, 'status' | 'changed_at' | 'revision'> & Partial<Pick<SessionRow, 'reason'>>;

/** One statement for all sessions that begin in the batch, and one or two for each other session. */
const applyAll = async (
  transaction: Transaction<SessionTables>,
  events: readonly RecordedEvent<SessionEvent>[],
  retention: number,
): Promise<void> => {
  const begun = new Map<SessionId, SessionRow>();
  const changes = new Map<SessionId, readonly Change[]>();
  let before: number | undefined;
  for (const event of events) {
    const id = idOf<SessionId>(event.stream);
    if (event.type === 'SessionCreated') {
      begun.set(id, rowOf(id, event));
      if (event.position % SWEEP_EACH === 0n) before = oldestStored(event.data.at, retention);
      continue;
    }
    const change = changeOf(event);
    if (!change) continue;
    const row = begun.get(id);
    if (!row) changes.set(id, [...(dependsOnType(change) ? (changes.get(id) ?? []) : []), change]);
    else if (!dependsOnType(change) || row.signature_type === 'AUTHENTICATION') begun.set(id, { ...row, ...change });
  }
  if (begun.size > 0) await add(transaction, [...begun.values()]);
  for (const [id, list] of changes) for (const change of list) await update(transaction, id, change);
  if (before !== undefined) await sweep(transaction, before);
};

/** A confirmation does not change the status of a signature, and only the row shows whether the session is a signature. */
const dependsOnType = ({ status }: Change): boolean => status === 'CONFIRMED';

type Created = Extract<RecordedEvent<SessionEvent>, { type: 'SessionCreated' }>;

const rowOf = (session_id: SessionId, { revision, data: { clientId, signatureType, at } }: Created): SessionRow => ({
  session_id,
  client_id: clientId,
  signature_type: signatureType,
  status: 'PENDING',
  reason: null,
  created_at: at,
  changed_at: at,
  revision,
});

const changeOf = (event: RecordedEvent<SessionEvent>): Change | undefined => {
  const status = statusAfter(event);
  const { revision, data } = event;
  return status && { status, changed_at: data.at, revision, ...(event.type === 'SessionCancelled' && { reason: event.data.reason }) };
};

/** Adds the rows of new sessions. When the events are applied again, a row with a later revision stays. */
const add = async (transaction: Transaction<SessionTables>, rows: readonly SessionRow[]): Promise<void> => {
  await transaction
    .insertInto('sessions_v1')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('session_id')
        .doUpdateSet(({ ref }) => ({
          status: ref('excluded.status'),
          reason: ref('excluded.reason'),
          changed_at: ref('excluded.changed_at'),
          revision: ref('excluded.revision'),
        }))
        .whereRef('sessions_v1.revision', '<', 'excluded.revision'),
    )
    .execute();
};

const update = async (transaction: Transaction<SessionTables>, sessionId: SessionId, change: Change): Promise<void> => {
  const newer = transaction.updateTable('sessions_v1').set(change).where('session_id', '=', sessionId).where('revision', '<', change.revision);
  await (dependsOnType(change) ? newer.where('signature_type', '=', 'AUTHENTICATION') : newer).execute();
};

const sweep = async (transaction: Transaction<SessionTables>, before: number): Promise<void> => {
  const old = transaction.selectFrom('sessions_v1').select('session_id').where('created_at', '<', before).orderBy('created_at').limit(SWEPT_AT_MOST);
  await transaction.deleteFrom('sessions_v1').where('session_id', 'in', old).execute();
};
