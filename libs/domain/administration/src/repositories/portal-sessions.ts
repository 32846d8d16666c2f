import { decideAndAppend, type EventStore, isKnown, type LastEvent, readLast, type StreamName } from '#engines/event-store';
import type { FindLivingPerson } from '#domain/identity';
import { type ClientId, type Clock, type DeviceId, type KeyRing, LocatingTokens, parseId, type Randomness, Secret, type SubjectId } from '#kernel';

import type { Administrator, AdminRole } from '../domain/administrator.js';
import { clientOf } from '../domain/portal-members.js';
import { PORTAL_SESSION_EVENTS, PORTAL_SESSIONS, type PortalSessionEvent, type PortalSessionId } from '../streams.js';
import type { PortalMembers } from './portal-members.js';

/** How long a person stays logged in to the portal, in milliseconds. */
const LIFE = 3_600_000;

/** A person who is logged in to the portal. */
export interface PortalPerson extends Administrator {
  readonly subjectId: SubjectId;
  /** The end of the login, epoch milliseconds. */
  readonly expiresAt: number;
}

export interface PortalSessionsParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly ring: KeyRing;
  readonly members: Pick<PortalMembers, 'byPerson'>;
  readonly living: Pick<FindLivingPerson, 'execute'>;
}

/**
 * The logins at the portal. Their cookies are not stored: they are derived from the event that began the session. Each use looks at the streams of the phone and the person: a
 * session counts no longer than the phone with which it was begun.
 */
export class PortalSessions {
  readonly #tokens;

  constructor(private readonly parts: PortalSessionsParts) {
    this.#tokens = new LocatingTokens(parts.ring, 'portal-session');
  }

  /** Begins a session with a new id and answers its cookie. An earlier cookie of the browser does not matter. `deviceId`: the phone that approved the login. */
  async begin(subjectId: SubjectId, deviceId: DeviceId): Promise<{ readonly cookie: Secret<string>; readonly seconds: number }> {
    const { store, clock, randomness } = this.parts;
    const id = randomness.uuid<PortalSessionId>();
    const at = clock.now();
    await PORTAL_SESSIONS.retain(store, streamOf(id));
    const { appended } = await decideAndAppend<LastEvent<PortalSessionEvent>, PortalSessionEvent>({ store, clock }, streamOf(id), {
      load: (conflict) => readLast<PortalSessionEvent>(store, streamOf(id), conflict),
      decide: () => [{ type: 'PortalSessionBegun', data: { at, subjectId, deviceId, expiresAt: at + LIFE } }],
    });
    return { cookie: new Secret(this.#tokens.make(id, appended[0]?.id ?? '')), seconds: LIFE / 1000 };
  }

  /**
   * The person of a cookie with the present rights. Undefined when the session is unknown, expired or ended, its phone was revoked or locked for good, or its person erased. A
   * person without a membership has no rights. Costs the same number of reads however many members there are.
   */
  async find(cookie: string): Promise<PortalPerson | undefined> {
    const claim = this.#tokens.parse(cookie);
    const id = claim && parseId<PortalSessionId>(claim.id);
    if (!id) return undefined;
    const { last } = await readLast<PortalSessionEvent>(this.parts.store, streamOf(id));
    if (!last || !isKnown(PORTAL_SESSION_EVENTS, last) || last.type !== 'PortalSessionBegun' || !this.#tokens.verify(claim, last.id))
      return undefined;
    const { subjectId, deviceId, expiresAt } = last.data;
    if (expiresAt <= this.parts.clock.now()) return undefined;
    const [identityId, membershipsOf] = await Promise.all([this.parts.living.execute(deviceId), this.parts.members.byPerson()]);
    if (identityId === undefined) return undefined;
    const scopes = membershipsOf(identityId).map(({ scope }) => scope);
    return {
      id: subjectId,
      subjectId,
      deviceId,
      roles: [...new Set(scopes.flatMap((scope): readonly AdminRole[] => ('roles' in scope ? scope.roles : [])))],
      clients: scopes.map(clientOf).filter((clientId): clientId is ClientId => clientId !== undefined),
      expiresAt,
    };
  }

  /** Ends the session of the cookie on every replica. An unknown cookie ends nothing. */
  async end(cookie: string): Promise<void> {
    if (!(await this.find(cookie))) return;
    const { store, clock } = this.parts;
    const stream = streamOf(this.#tokens.parse(cookie)?.id as PortalSessionId);
    await decideAndAppend<LastEvent<PortalSessionEvent>, PortalSessionEvent>({ store, clock }, stream, {
      load: (conflict) => readLast<PortalSessionEvent>(store, stream, conflict),
      decide: ({ last }) => (last?.type === 'PortalSessionBegun' ? [{ type: 'PortalSessionEnded', data: { at: clock.now() } }] : []),
    });
  }
}

const streamOf = (id: PortalSessionId): StreamName => PORTAL_SESSIONS.of(id);
