import { EventStoreUnavailable } from '../event-store.js';

/** What became of a call that failed, as far as it matters here. Everything unknown counts as `away`. */
export type Failure = 'stream-not-found' | 'stream-deleted' | 'not-leader' | 'away';

const KNOWN: readonly Failure[] = ['stream-not-found', 'stream-deleted', 'not-leader'];

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
export const failureOf = (error: unknown): Failure => {
  const { type, metadata } = clues(error);
  const named = [type, metadata?.get?.('exception')[0]].find((name) => KNOWN.includes(name as Failure));
  return (named as Failure | undefined) ?? 'away';
};

/** For the log: the kind of the error and what it says, never what was sent. */
export const describe = (error: unknown): string => {
  const { type, code, message } = clues(error);
  return [type, typeof code === 'number' ? `code ${code}` : undefined, message].filter((part) => typeof part === 'string' && part !== '').join(', ').slice(0, 300);
};

export const unavailable = (what: string, error: unknown): EventStoreUnavailable =>
  error instanceof EventStoreUnavailable ? error : new EventStoreUnavailable(`EventStoreDB cannot ${what}: ${describe(error)}`);

const clues = (error: unknown): Clues => (typeof error === 'object' && error !== null ? error : {});
