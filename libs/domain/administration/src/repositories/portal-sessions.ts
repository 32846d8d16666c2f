import { appendFact, decideOnLast, readLast, type StreamName, type UnitOfWork } from '#engines/event-store';
import type { FindLivingPerson } from '#domain/identity';
import {
  type Clock,
  type DeviceId,
  type IdentityId,
  type KeyRing,
  LocatingTokens,
  parseId,
  type Randomness,
  Secret,
  ServiceUnavailable,
  type SubjectId,
} from '#kernel';

import type { Administrator, HumanAdministrator, TeamMembership } from '../domain/administrator.js';
import { rightsOf } from '../domain/portal-membership.js';
import { PortalSessionNotFound } from '../domain/portal-members.errors.js';
import {
  PORTAL_LOGINS,
  PORTAL_SESSIONS,
  type PortalLoginEvent,
  type PortalSessionEvent,
  type PortalSessionId,
  type PortalSessionTerms,
} from '../streams.js';
import { type LivePortalSession, liveSession } from './live-session.js';
import type { PortalMembers } from './portal-members.js';
import type { PortalPhones } from './portal-phones.js';
import { SESSIONS } from './stream-types.js';

/** How long a person stays logged in to the portal at most, in milliseconds. */
const LIFE = 3_600_000;
/** How exactly the last use of a session is known, in milliseconds: a use sooner than that after the last one is not stored. */
const USE_INTERVAL = 60_000;
/** How many sessions a person has at one time. One more ends the oldest. */
const MOST = 10;

/** A person who is logged in to the portal. */
export interface PortalPerson extends Administrator {
  readonly subjectId: SubjectId;
  readonly human: HumanAdministrator;
  readonly teams: readonly TeamMembership[];
  /** The end of the login, epoch milliseconds. */
  readonly expiresAt: number;
}

/** A live session of a person. Times are epoch milliseconds. */
export interface OwnPortalSession {
  readonly sessionId: PortalSessionId;
  readonly begunAt: number;
  /** At most a minute before the last use. */
  readonly usedAt: number;
  readonly expiresAt: number;
}

export interface PortalSessionsParts {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly ring: KeyRing;
  readonly members: Pick<PortalMembers, 'byPerson'>;
  readonly phones: Pick<PortalPhones, 'trustedFor'>;
  readonly living: Pick<FindLivingPerson, 'execute'>;
  /** After how many milliseconds without a request a session ends. */
  readonly idle: number;
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
  async begin(
    subjectId: SubjectId,
    { identityId, deviceId }: { readonly identityId: IdentityId; readonly deviceId: DeviceId },
  ): Promise<{ readonly cookie: Secret<string>; readonly seconds: number }> {
    const { unitOfWork, clock, randomness } = this.parts;
    const { store } = unitOfWork;
    for (const { sessionId } of (await this.list(identityId)).slice(MOST - 1)) await this.#end(sessionId);
    const id = randomness.uuid<PortalSessionId>();
    const begunAt = clock.now();
    const terms: PortalSessionTerms = { begunAt, subjectId, identityId, deviceId, expiresAt: begunAt + LIFE };
    await PORTAL_LOGINS.retain(store, PORTAL_LOGINS.of(identityId));
    await appendFact({ store, clock }, PORTAL_LOGINS.of(identityId), { type: 'PortalLoginNoted', data: { at: begunAt, sessionId: id } });
    await PORTAL_SESSIONS.retain(store, streamOf(id));
    const { last } = await decideOnLast<PortalSessionEvent>(unitOfWork, { type: SESSIONS, stream: streamOf(id) }, () => [
      { type: 'PortalSessionBegun', data: { at: begunAt, ...terms } },
    ]);
    return { cookie: new Secret(this.#tokens.make(id, last?.id ?? '')), seconds: LIFE / 1000 };
  }

  /**
   * The person of a cookie with the present rights. Undefined when the session is unknown, expired, idle for too long or ended, its phone was revoked or locked for good, or its
   * person erased. A person without a membership that the phone may use has no rights. Costs the same number of reads however many members there are.
   */
  async find(cookie: string): Promise<PortalPerson | undefined> {
    const claim = this.#tokens.parse(cookie);
    const id = claim && parseId<PortalSessionId>(claim.id);
    if (!id) return undefined;
    const last = await this.#live(id);
    if (!last || !this.#tokens.verify(claim, begunIdOf(last))) return undefined;
    const { subjectId, deviceId, expiresAt } = last.data;
    const [identityId, membershipsOf] = await Promise.all([this.parts.living.execute(deviceId), this.parts.members.byPerson()]);
    if (identityId === undefined) return undefined;
    const memberships = await this.parts.phones.trustedFor(identityId, deviceId, membershipsOf(identityId));
    if (this.parts.clock.now() >= last.data.at + Math.min(USE_INTERVAL, this.parts.idle / 4)) await this.#used(id, last).catch(unlessUnavailable);
    return { id: subjectId, subjectId, ...rightsOf(memberships), human: { identityId, deviceId, sessionId: id }, expiresAt };
  }

  /** The live sessions of a person, the newest first. */
  async list(identityId: IdentityId): Promise<readonly OwnPortalSession[]> {
    const { store } = this.parts.unitOfWork;
    const noted = await store.read<PortalLoginEvent>(PORTAL_LOGINS.of(identityId), { direction: 'backwards', limit: 2 * MOST });
    const found = await Promise.all(
      noted.map(async ({ data: { sessionId } }) => {
        const last = await this.#live(sessionId);
        return last ? [{ sessionId, begunAt: last.data.begunAt, usedAt: last.data.at, expiresAt: last.data.expiresAt }] : [];
      }),
    );
    return found.flat();
  }

  /** Ends a session of the person on every replica. Throws {@link PortalSessionNotFound}, also for another person's. */
  async endOf(identityId: IdentityId, sessionId: PortalSessionId): Promise<void> {
    const last = await this.#live(sessionId);
    if (last?.data.identityId !== identityId) throw new PortalSessionNotFound('no live session of this person');
    await this.#end(sessionId);
  }

  /** Ends every session of the person on every replica. */
  async endAllOf(identityId: IdentityId): Promise<void> {
    for (const { sessionId } of await this.list(identityId)) await this.#end(sessionId);
  }

  /** Ends the session of the cookie on every replica. An unknown cookie ends nothing. */
  async end(cookie: string): Promise<void> {
    if (await this.find(cookie)) await this.#end(this.#tokens.parse(cookie)?.id as PortalSessionId);
  }

  /** The last event of a session that is not over. */
  async #live(id: PortalSessionId): Promise<LivePortalSession | undefined> {
    const { unitOfWork, clock, idle } = this.parts;
    const { last } = await readLast<PortalSessionEvent>(unitOfWork.store, streamOf(id));
    return last && liveSession(last, clock.now(), idle);
  }

  /** Notes the use. Of several at once, one is enough. */
  async #used(id: PortalSessionId, { data, ...session }: LivePortalSession): Promise<void> {
    const { unitOfWork, clock } = this.parts;
    const { at: _, ...terms } = data;
    const begun = begunIdOf({ ...session, data } as LivePortalSession);
    await decideOnLast<PortalSessionEvent>(unitOfWork, { type: SESSIONS, stream: streamOf(id) }, (last) =>
      last?.id === session.id ? [{ type: 'PortalSessionUsed', data: { at: clock.now(), begun, ...withoutBegun(terms) } }] : [],
    );
  }

  async #end(id: PortalSessionId): Promise<void> {
    const { unitOfWork, clock } = this.parts;
    await decideOnLast<PortalSessionEvent>(unitOfWork, { type: SESSIONS, stream: streamOf(id) }, (last) =>
      last && last.type !== 'PortalSessionEnded' ? [{ type: 'PortalSessionEnded', data: { at: clock.now() } }] : [],
    );
  }
}

/** A use that cannot be stored counts for nothing; the request is answered all the same. */
const unlessUnavailable = (error: unknown): void => {
  if (!(error instanceof ServiceUnavailable)) throw error;
};

const streamOf = (id: PortalSessionId): StreamName => PORTAL_SESSIONS.of(id);

/** The id of the event that began the session. */
const begunIdOf = (event: LivePortalSession): string => (event.type === 'PortalSessionUsed' ? event.data.begun : event.id);

const withoutBegun = ({ begunAt, subjectId, identityId, deviceId, expiresAt }: PortalSessionTerms): PortalSessionTerms => ({
  begunAt,
  subjectId,
  identityId,
  deviceId,
  expiresAt,
});
