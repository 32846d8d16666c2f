import type { CreateTableBuilder, Transaction } from 'kysely';

import type { RecordedEvent } from '#engines/event-store';
import type { ClientId } from '#kernel';
import type { Projection } from '#engines/read-model';

import type { CancelReason, SessionEvent } from '../domain/session.events.js';
import { envelopeOf } from '../repositories/session-envelope.js';
import { SESSIONS } from '../streams.js';

const COUNTS = [
  'created',
  'scanned',
  'confirmed',
  'exchanged',
  'declined',
  'left',
  'wrong_code',
  'pin_locked',
  'withdrawn',
  'erased',
  'expired',
] as const;

/** How many logins reached each step, or ended for each reason. */
export type FunnelCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** One row for each client and day. */
export interface FunnelTables {
  login_funnel_v1: FunnelCounts & {
    readonly client_id: ClientId;
    /** Days since 1970-01-01, UTC. */
    readonly day: number;
    /** The position in the store of the last counted event. */
    readonly position: number;
  };
}

/** Milliseconds. */
export const DAY = 86_400_000;

export const NO_LOGINS = Object.fromEntries(COUNTS.map((count) => [count, 0])) as FunnelCounts;

const STEPS: Partial<Record<SessionEvent['type'], keyof FunnelCounts>> = {
  SessionCreated: 'created',
  SessionScanned: 'scanned',
  SessionConfirmed: 'confirmed',
  CodeRedeemed: 'exchanged',
  SessionExpired: 'expired',
};

/** The count for each reason. SIGNING_FAILED has none: only signatures end by it. A login whose phone was revoked was left, as one whose phone went away. */
const REASONS: Readonly<Record<CancelReason, keyof FunnelCounts | undefined>> = {
  DECLINED: 'declined',
  LEFT: 'left',
  WRONG_CODE: 'wrong_code',
  PIN_LOCKED: 'pin_locked',
  WITHDRAWN: 'withdrawn',
  ERASED: 'erased',
  DEVICE_REVOKED: 'left',
  SIGNING_FAILED: undefined,
};

/** Events may wait this time, because no request waits for these rows. Milliseconds. */
const LINGER = 200;
/** About one of this many creations removes old rows. */
const SWEEP_EACH = 50;

/** The number of shown days with today, at most 30: the days of which all sessions are still stored. `retention` is in milliseconds. */
export const shownDays = (retention: number): number => Math.min(30, Math.max(1, Math.floor(retention / DAY)));

/**
 * Counts the logins of each client and day, without sessions and persons. It follows the store, in one of the registry's processes. A step counts on the
 * day (UTC) on which it happened. `retention` is how long a session is stored after its end, in milliseconds.
 */
export const loginFunnelProjection = (retention: number): Projection<FunnelTables, SessionEvent> => ({
  name: 'login-funnel',
  version: 1,
  tables: ['login_funnel_v1'],
  categories: [SESSIONS.category],
  linger: LINGER,
  concerns: (event) => envelopeOf(event)?.signatureType === 'AUTHENTICATION' && countOf(event as RecordedEvent<SessionEvent>) !== undefined,

  async create({ schema }) {
    const key = schema.createTable('login_funnel_v1').addColumn('client_id', 'text', (column) => column.notNull());
    const table = ['day', 'position', ...COUNTS].reduce<CreateTableBuilder<'login_funnel_v1', string>>(
      (columns, name) => columns.addColumn(name, 'bigint', (column) => column.notNull()),
      key,
    );
    await table.addPrimaryKeyConstraint('login_funnel_v1_key', ['client_id', 'day']).execute();
  },

  apply: (transaction, event) => applyAll(transaction, [event], retention),
  applyAll: (transaction, events) => applyAll(transaction, events, retention),
});

const countOf = ({ type, data }: SessionEvent): keyof FunnelCounts | undefined => (type === 'SessionCancelled' ? REASONS[data.reason] : STEPS[type]);

type FunnelRow = FunnelTables['login_funnel_v1'];

/**
 * One statement for the counts of the whole batch, whatever the number of its events. Events come in the order of their positions, so an event up to the
 * position of its row was counted before and changes nothing.
 */
const applyAll = async (transaction: Transaction<FunnelTables>, events: readonly RecordedEvent<SessionEvent>[], retention: number): Promise<void> => {
  const counted = events.flatMap((event) => {
    const [client, count] = [envelopeOf(event)?.clientId, countOf(event)];
    return client === undefined || count === undefined
      ? []
      : [{ client, count, day: Math.floor(event.data.at / DAY), position: Number(event.position) }];
  });
  if (counted.length === 0) return;
  const reached = await positions(transaction, [...new Set(counted.map(({ client }) => client))], [...new Set(counted.map(({ day }) => day))]);
  const rows = new Map<string, FunnelRow>();
  let before: number | undefined;
  for (const { client, count, day, position } of counted) {
    const key = keyOf(client, day);
    if (count === 'created' && position % SWEEP_EACH === 0) before = day - shownDays(retention);
    if (position <= (reached.get(key) ?? -1)) continue;
    const row = rows.get(key) ?? { ...NO_LOGINS, client_id: client, day, position };
    rows.set(key, { ...row, position, [count]: row[count] + 1 });
  }
  if (rows.size > 0) await add(transaction, [...rows.values()]);
  if (before !== undefined) await transaction.deleteFrom('login_funnel_v1').where('day', '<=', before).execute();
};

const keyOf = (client: ClientId, day: number): string => `${day} ${client}`;

/** The positions of the rows that are there. */
const positions = async (
  transaction: Transaction<FunnelTables>,
  clients: readonly ClientId[],
  days: readonly number[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await transaction
    .selectFrom('login_funnel_v1')
    .select(['client_id', 'day', 'position'])
    .where('client_id', 'in', clients)
    .where('day', 'in', days)
    .execute();
  return new Map(rows.map(({ client_id, day, position }) => [keyOf(client_id, day), position]));
};

const add = async (transaction: Transaction<FunnelTables>, rows: readonly FunnelRow[]): Promise<void> => {
  await transaction
    .insertInto('login_funnel_v1')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'day'])
        .doUpdateSet((expression) => ({
          position: expression.ref('excluded.position'),
          ...Object.fromEntries(
            COUNTS.map((count) => [count, expression(`login_funnel_v1.${count}`, '+', expression.ref(`excluded.${count}`))] as const),
          ),
        }))
        .whereRef('login_funnel_v1.position', '<', 'excluded.position'),
    )
    .execute();
};
