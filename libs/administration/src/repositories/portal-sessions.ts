import { decideAndAppend, type EventStore, isKnown, type LastEvent, readLast, type StreamName, streamName } from '#event-store';
import {
  type Brand,
  type ClientId,
  type Clock,
  type DomainEvent,
  type KeyRing,
  knownEvents,
  LocatingTokens,
  parseId,
  type Randomness,
  Secret,
  type SubjectId,
} from '#kernel';

import type { Administrator, AdminRole } from '../domain/administrator.js';
import { clientOf } from '../domain/portal-members.js';
import type { PortalMembers } from './portal-members.js';

type PortalSessionId = Brand<string, 'PortalSessionId'>;

/** The events of a stream `portalsession-<uuid>`. Times are epoch milliseconds. */
type PortalSessionEvent =
  | DomainEvent<'PortalSessionBegun', { readonly at: number; readonly subjectId: SubjectId; readonly expiresAt: number }>
  | DomainEvent<'PortalSessionEnded', { readonly at: number }>;

const EVENTS = knownEvents<PortalSessionEvent>(1, { PortalSessionBegun: true, PortalSessionEnded: true });

/** How long a person stays logged in to the portal, in milliseconds. */
const LIFE = 3_600_000;
/** Seconds after which the stream's events are not read any more. */
const KEPT = 24 * 3_600;

/** A person who is logged in to the portal. */
export interface PortalPerson extends Administrator {
  readonly subjectId: SubjectId;
  /** The end of the login, epoch milliseconds. */
  readonly expiresAt: number;
}

/** The logins at the portal. Their cookies are not stored: they are derived from the event that began the session. */
export class PortalSessions {
  readonly #tokens;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    ring: KeyRing,
    private readonly members: Pick<PortalMembers, 'of'>,
  ) {
    this.#tokens = new LocatingTokens(ring, 'portal-session');
  }

  /** Begins a session with a new id and answers its cookie. An earlier cookie of the browser does not matter. */
  async begin(subjectId: SubjectId): Promise<{ readonly cookie: Secret<string>; readonly seconds: number }> {
    const { store, clock } = this;
    const id = this.randomness.uuid<PortalSessionId>();
    const at = clock.now();
    await store.setRetention(streamOf(id), { maxAge: KEPT });
    const { appended } = await decideAndAppend<LastEvent<PortalSessionEvent>, PortalSessionEvent>({ store, clock }, streamOf(id), {
      load: (conflict) => readLast<PortalSessionEvent>(store, streamOf(id), conflict),
      decide: () => [{ type: 'PortalSessionBegun', data: { at, subjectId, expiresAt: at + LIFE } }],
    });
    return { cookie: new Secret(this.#tokens.make(id, appended[0]?.id ?? '')), seconds: LIFE / 1000 };
  }

  /** The person of a cookie with the present rights; undefined when the session is unknown, expired or ended. A person without a membership has no rights. */
  async find(cookie: string): Promise<PortalPerson | undefined> {
    const claim = this.#tokens.parse(cookie);
    const id = claim && parseId<PortalSessionId>(claim.id);
    if (!id) return undefined;
    const { last } = await readLast<PortalSessionEvent>(this.store, streamOf(id));
    if (!last || !isKnown(EVENTS, last) || last.type !== 'PortalSessionBegun' || !this.#tokens.verify(claim, last.id)) return undefined;
    const { subjectId, expiresAt } = last.data;
    if (expiresAt <= this.clock.now()) return undefined;
    const scopes = (await this.members.of(subjectId)).map(({ scope }) => scope);
    return {
      id: subjectId,
      subjectId,
      roles: [...new Set(scopes.flatMap((scope): readonly AdminRole[] => ('roles' in scope ? scope.roles : [])))],
      clients: scopes.map(clientOf).filter((clientId): clientId is ClientId => clientId !== undefined),
      expiresAt,
    };
  }

  /** Ends the session of the cookie on every replica. An unknown cookie ends nothing. */
  async end(cookie: string): Promise<void> {
    if (!(await this.find(cookie))) return;
    const { store, clock } = this;
    const stream = streamOf(this.#tokens.parse(cookie)?.id as PortalSessionId);
    await decideAndAppend<LastEvent<PortalSessionEvent>, PortalSessionEvent>({ store, clock }, stream, {
      load: (conflict) => readLast<PortalSessionEvent>(store, stream, conflict),
      decide: ({ last }) => (last?.type === 'PortalSessionBegun' ? [{ type: 'PortalSessionEnded', data: { at: clock.now() } }] : []),
    });
  }
}

const streamOf = (id: PortalSessionId): StreamName => streamName('portalsession', id);
