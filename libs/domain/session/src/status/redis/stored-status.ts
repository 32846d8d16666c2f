import { type ClientId, parsedJson, type SessionId } from '#kernel';

import type { HostedLogin, SessionStatus } from '../../domain/session.js';
import type { CachedStatus } from '../status-cache.js';

/** The braces are a hash tag: key and channel of a session lie in one slot of a Redis Cluster, as the script needs it. */
export const channelOf = (sessionId: string): string => `session-status:{${sessionId}}`;

/**
 * `run` is the run id of the server. A killed server may start again without its last writes, and then its statuses would go backwards. So no process reads
 * statuses of an earlier run, and they expire. So do those of another history of the event store: the copy from which it was restored may lack their events.
 */
export const keyOf = (sessionId: SessionId, run: string, history: string): string =>
  ['session-status', `{${sessionId}}`, run, ...(history === '' ? [] : [history])].join(':');

/** The revision, a space, the rest as JSON. */
export const storedStatus = ({
  revision,
  clientId,
  status,
  endsAt,
  readableUntil,
  login,
  qrFrom,
}: CachedStatus): readonly [revision: string, json: string] => [
  String(revision),
  JSON.stringify({
    clientId,
    status,
    endsAt,
    readableUntil,
    ...(login && { login: { eventId: login.eventId, superseded: login.superseded } }),
    ...(qrFrom !== undefined && { qrFrom }),
  }),
];

const STATUSES: readonly unknown[] = ['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] satisfies SessionStatus[];

/** Undefined for a text that is none of ours. */
export const readStatus = (text: string): CachedStatus | undefined => {
  const [, revision, json] = /^(\d{1,9}) (.*)$/s.exec(text) ?? [];
  const value = parsedJson(json ?? '');
  if (typeof value !== 'object' || value === null) return undefined;
  const { clientId, status, endsAt, readableUntil, login, qrFrom } = value as Record<string, unknown>;
  if (typeof clientId !== 'string' || !STATUSES.includes(status) || typeof endsAt !== 'number' || typeof readableUntil !== 'number') return undefined;
  if (login !== undefined && !isLogin(login)) return undefined;
  return {
    revision: Number(revision),
    clientId: clientId as ClientId,
    status: status as SessionStatus,
    endsAt,
    readableUntil,
    ...(login && { login }),
    ...(typeof qrFrom === 'number' && { qrFrom }),
  };
};

const isLogin = (value: unknown): value is HostedLogin => {
  const { eventId, superseded } = Object(value) as Record<string, unknown>;
  return typeof eventId === 'string' && typeof superseded === 'boolean';
};
