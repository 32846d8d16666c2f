import type { Transaction } from 'kysely';

import type { RecordedEvent } from '#event-store';
import type { ClientId } from '#kernel';
import type { Projection } from '#read-model';

import type { CancelReason, SessionEvent } from '../domain/session.events.js';
import { envelopeOf } from '../repositories/session-envelope.js';

/** How many logins came to a step, or ended for a reason. */
export interface FunnelCounts {
  readonly created: number;
  readonly scanned: number;
  readonly confirmed: number;
  readonly exchanged: number;
  readonly declined: number;
  readonly left: number;
  readonly wrong_code: number;
  readonly pin_locked: number;
  readonly withdrawn: number;
  readonly erased: number;
  readonly expired: number;
}

export interface FunnelTables {
  login_funnel_v1: FunnelCounts & {
    readonly client_id: ClientId;
    /** Days since 1970-01-01, UTC. */
    readonly day: number;
    /** In the store, of the last event that was counted. */
    readonly position: number;
  };
}

export const DAY = 86_400_000;

export const NO_LOGINS: FunnelCounts = {
  created: 0,
  scanned: 0,
  confirmed: 0,
  exchanged: 0,
  declined: 0,
  left: 0,
  wrong_code: 0,
  pin_locked: 0,
  withdrawn: 0,
  erased: 0,
  expired: 0,
};
const COUNTS = Object.keys(NO_LOGINS) as readonly (keyof FunnelCounts)[];

const STEPS: Partial<Record<SessionEvent['type'], keyof FunnelCounts>> = {
  SessionCreated: 'created',
  SessionScanned: 'scanned',
  SessionConfirmed: 'confirmed',
  CodeRedeemed: 'exchanged',
  SessionExpired: 'expired',
};

/** A login is built by nothing, so its signing cannot fail. */
const REASONS: Readonly<Record<CancelReason, keyof FunnelCounts | undefined>> = {
  DECLINED: 'declined',
  LEFT: 'left',
  WRONG_CODE: 'wrong_code',
  PIN_LOCKED: 'pin_locked',
  WITHDRAWN: 'withdrawn',
  ERASED: 'erased',
  SIGNING_FAILED: undefined,
};

/** Milliseconds. No request waits for these rows. */
const LINGER = 200;
/** Old rows are removed at about one of so many creations. */
const SWEEP_EACH = 50n;

/** The number of days that are shown, today included: as far as every session of them is stored, at most 30. `retention` is in milliseconds. */
export const shownDays = (retention: number): number => Math.min(30, Math.max(1, Math.floor(retention / DAY)));

/**
 * The logins of each client and day, as counts alone: no session, no person. It follows the store, in one registry of all. A step counts on the day (UTC) on which it happened.
 * `retention` is how long a session is stored after its end, in milliseconds.
 */
export const loginFunnelProjection = (retention: number): Projection<FunnelTables, SessionEvent> => ({
  name: 'login-funnel',
  version: 1,
  tables: ['login_funnel_v1'],
  categories: ['session'],
  linger: LINGER,
  // An event of a release before the envelope names no client: its login is left out.
  concerns: (event) => envelopeOf(event)?.signatureType === 'AUTHENTICATION' && countOf(event as RecordedEvent<SessionEvent>) !== undefined,

  async create({ schema }) {
    await schema
      .createTable('login_funnel_v1')
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('created', 'bigint', (column) => column.notNull())
      .addColumn('scanned', 'bigint', (column) => column.notNull())
      .addColumn('confirmed', 'bigint', (column) => column.notNull())
      .addColumn('exchanged', 'bigint', (column) => column.notNull())
      .addColumn('declined', 'bigint', (column) => column.notNull())
      .addColumn('left', 'bigint', (column) => column.notNull())
      .addColumn('wrong_code', 'bigint', (column) => column.notNull())
      .addColumn('pin_locked', 'bigint', (column) => column.notNull())
      .addColumn('withdrawn', 'bigint', (column) => column.notNull())
      .addColumn('erased', 'bigint', (column) => column.notNull())
      .addColumn('expired', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('login_funnel_v1_key', ['client_id', 'day'])
      .execute();
  },

  async apply(transaction, event) {
    const clientId = envelopeOf(event)?.clientId;
    const count = countOf(event);
    if (clientId === undefined || count === undefined) return;
    const day = Math.floor(event.data.at / DAY);
    await add(transaction, { ...NO_LOGINS, [count]: 1, client_id: clientId, day, position: Number(event.position) });
    if (count === 'created' && event.position % SWEEP_EACH === 0n)
      await transaction
        .deleteFrom('login_funnel_v1')
        .where('day', '<=', day - shownDays(retention))
        .execute();
  },
});

const countOf = ({ type, data }: SessionEvent): keyof FunnelCounts | undefined => (type === 'SessionCancelled' ? REASONS[data.reason] : STEPS[type]);

/** Events come in the order of their positions, so one that is not beyond the row's was counted before. */
const add = async (transaction: Transaction<FunnelTables>, row: FunnelTables['login_funnel_v1']): Promise<void> => {
  await transaction
    .insertInto('login_funnel_v1')
    .values(row)
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
