import { type EventStore, NO_STREAM } from '#engines/event-store';
import type { ClientId, DeviceId, IdentityId, Randomness, SessionId } from '#kernel';

import { type SessionEvent, sessionStream } from '#domain/session';

import { enveloped } from './enveloped.js';

export interface FinishedSessions {
  readonly count: number;
  /** Sessions take their client and their person from these in turn. */
  readonly clients: readonly ClientId[];
  readonly persons: readonly IdentityId[];
  /** When the first session was created, epoch milliseconds, and the time from one to the next. */
  readonly from: number;
  readonly every: number;
  readonly randomness: Randomness;
}

/** Appends that are under way at the same time: they share commits. */
const AT_ONCE = 2_000;

/** Stores logins that have ended, each by one append, and answers their ids. Their envelopes are those of real ones; their sealed members are random bytes. */
export const storeFinishedSessions = async (store: Pick<EventStore, 'append'>, sessions: FinishedSessions): Promise<readonly SessionId[]> => {
  const ids: SessionId[] = [];
  while (ids.length < sessions.count) {
    const first = ids.length;
    const some = Array.from({ length: Math.min(AT_ONCE, sessions.count - first) }, () => sessions.randomness.uuid<SessionId>());
    await Promise.all(some.map((id, index) => store.append(sessionStream(id), NO_STREAM, enveloped(eventsOf(sessions, first + index)))));
    ids.push(...some);
  }
  return ids;
};

/** Times of a quick user, in milliseconds after the creation. */
const [SCANNED, CONFIRMED, COMPLETED, REDEEMED] = [6_000, 11_000, 11_500, 11_700];

const eventsOf = ({ clients, persons, from, every, randomness }: FinishedSessions, number: number): readonly SessionEvent[] => {
  const created = from + number * every;
  const text = (bytes: number): string => randomness.bytes(bytes).toString('base64url');
  return [
    {
      type: 'SessionCreated',
      data: {
        clientId: of(clients, number),
        signatureType: 'AUTHENTICATION',
        redirectUri: 'https://shop.example/callback',
        codeChallenge: text(32),
        pushStatus: 'NOT_REQUESTED',
        sealed: text(120),
        expiresAt: created + 120_000,
        at: created,
      },
    },
    {
      type: 'SessionScanned',
      data: { deviceId: randomness.uuid<DeviceId>(), identityId: of(persons, number), sealed: text(300), at: created + SCANNED },
    },
    { type: 'SessionConfirmed', data: { signature: text(64), codeExpiresAt: created + CONFIRMED + 60_000, at: created + CONFIRMED } },
    { type: 'SessionCompleted', data: { at: created + COMPLETED } },
    { type: 'CodeRedeemed', data: { at: created + REDEEMED } },
  ];
};

const of = <Item>(items: readonly Item[], number: number): Item => {
  const item = items[number % items.length];
  if (item === undefined) throw new TypeError('sessions need a client and a person');
  return item;
};
