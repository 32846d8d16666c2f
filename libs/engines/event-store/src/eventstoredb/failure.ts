import { explainRefusal } from '#engines/access';

import { EventStoreUnavailable } from '../event-store.js';

/** The kinds of failed calls that the adapter tells apart. Everything unknown counts as `unavailable`. */
export type StoreFailure = 'stream-not-found' | 'stream-deleted' | 'not-leader' | 'access-denied' | 'unavailable';

const KNOWN: readonly StoreFailure[] = ['stream-not-found', 'stream-deleted', 'not-leader', 'access-denied'];

/** gRPC's codes for a call without the rights, and for one without a known user. */
const REFUSED: readonly unknown[] = [7, 16];
/** gRPC's codes for a position that the log cannot be read from: of 23.10, a failure without a name, of later versions an invalid argument. */
const UNKNOWN = 2;
const POSITION_REFUSED: readonly unknown[] = [UNKNOWN, 3];

interface Clues {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly metadata?: { get?(name: string): unknown[] };
}

/**
 * Neither `instanceof` nor `type` alone can be trusted: the client converts errors on some of its paths and passes a plain
 * `Error` with a `code` on others. So both its own `type` and the trailer it is made from count.
 */
export const failureOf = (error: unknown): StoreFailure => {
  const { type, code, metadata } = clues(error);
  const named = [type, metadata?.get?.('exception')[0]].find((name) => KNOWN.includes(name as StoreFailure));
  return (named as StoreFailure | undefined) ?? (REFUSED.includes(code) ? 'access-denied' : 'unavailable');
};

/** Whether the server has refused a call that names a position because none of its events lies there. */
export const isPositionRefused = (error: unknown): boolean => POSITION_REFUSED.includes(clues(error).code);

/** Whether the failure has no name: {@link isPositionRefused}, or anything else that has gone wrong in the server, which may pass. */
export const isUnnamed = (error: unknown): boolean => clues(error).code === UNKNOWN;

/** For the log: the kind of the error and its message, never the data of the call. */
export const describe = (error: unknown): string => {
  const { type, code, message } = clues(error);
  return [type, typeof code === 'number' ? `code ${code}` : undefined, message]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(', ')
    .slice(0, 300);
};

export const unavailable = (what: string, error: unknown): EventStoreUnavailable =>
  error instanceof EventStoreUnavailable
    ? error
    : new EventStoreUnavailable(`EventStoreDB cannot ${what}: ${explainRefusal(error, 'ESDB') ?? describe(error)}`);

const clues = (error: unknown): Clues => (typeof error === 'object' && error !== null ? error : {});
