import { PostgresDialect } from 'kysely';
import pg from 'pg';

import { RefusalReport } from '#engines/access';
import type { EngineCalls } from '#telemetry';

import { SqlReadModels } from '../sql-read-models.js';
import { clientWith, type PostgresqlAccess } from './postgresql-access.js';

/** Milliseconds. A frozen process must not hold a lock for longer: PostgreSQL then ends its transaction. */
const TRANSACTION_LIMIT = 5_000;
const CONNECTIONS = 8;

export interface PostgresqlOptions extends PostgresqlAccess {
  /** Told about a connection that broke without a query that could tell. */
  readonly report: (error: Error) => void;
  /** Told once why PostgreSQL refuses this service, where it does. */
  readonly refused?: (reason: string) => void;
  /** Measures queries and transactions. */
  readonly calls?: EngineCalls;
  /** Milliseconds; default: {@link TRANSACTION_LIMIT}. Tests that do not depend on this limit set a longer one for busy machines. */
  readonly transactionLimit?: number;
}

/** The read models in PostgreSQL, which several processes share. It need not be available yet. */
export const openPostgresqlReadModels = ({
  report,
  refused,
  calls,
  transactionLimit = TRANSACTION_LIMIT,
  ...access
}: PostgresqlOptions): SqlReadModels => {
  const refusals = new RefusalReport('POSTGRES', (reason) => refused?.(reason));
  const pool = new pg.Pool({
    Client: clientWith(access) as new () => pg.Client,
    application_name: 'countersign',
    max: CONNECTIONS,
    connectionTimeoutMillis: transactionLimit / 2,
    query_timeout: 2 * transactionLimit,
    statement_timeout: transactionLimit,
    lock_timeout: transactionLimit,
    idle_in_transaction_session_timeout: transactionLimit,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser },
  });
  pool.on('error', report);
  // Also one that breaks while it is in use, between two queries of a transaction: without a listener that would end the process.
  pool.on('connect', (client) => {
    refusals.succeeded();
    client.on('error', report);
  });
  const explain = (error: unknown): string | undefined => refusals.failed(error);
  return new SqlReadModels({ dialect: new PostgresDialect({ pool }), isShared: true, isDatabaseError, explain, calls });
};

/** The type of 64-bit integers in PostgreSQL's catalogue. They are numbers here, as all of ours stay below 2^53; the driver would give them as text. */
const INT8 = 20;

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) =>
  oid === INT8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown);

/** The driver's plain errors for a lost connection and a time-out. */
const LOST = ['Connection terminated', 'Client has encountered a connection error', 'timeout exceeded when trying to connect', 'Query read timeout'];

/** An error of the server has a code of five characters (SQLSTATE), an error of the network the code of the system, such as ECONNREFUSED. */
const isDatabaseError = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') return !code.startsWith('ERR_');
  return LOST.some((text) => String(message).startsWith(text));
};
