import type { FindLivingPerson, SubjectNames } from '#domain/identity';
import { type StreamLooks, NewerEventStored, type StreamName, type StreamType } from '#engines/event-store';
import type { Clock, DomainEvent } from '#kernel';

import { type Administrator, FIRST_START, type HumanAdministrator } from '../domain/administrator.js';
import { isValid } from '../domain/admin-token.js';
import { AuthorityEnded, AuthorityReduced } from '../domain/admin-token.errors.js';
import { type Membership, type PortalRights, rightsOf } from '../domain/portal-membership.js';
import { PORTAL_SESSIONS, type PortalSessionId } from '../streams.js';
import { liveSession } from './live-session.js';
import type { PortalPhones } from './portal-phones.js';
import { MEMBERS, MEMBERS_STREAM, SESSIONS, TOKENS, TOKENS_STREAM } from './stream-types.js';

export interface AuthorityProofParts {
  readonly living: Pick<FindLivingPerson, 'executeIn'>;
  readonly phones: Pick<PortalPhones, 'trustedIn'>;
  /** Of the portal's own client. */
  readonly names: Pick<SubjectNames, 'ofIdentity'>;
  readonly clock: Clock;
  /** After how many milliseconds without a request a session ends. */
  readonly idle: number;
}

/** A person, and the phone in use. */
export type PersonAndPhone = Pick<HumanAdministrator, 'identityId' | 'deviceId'>;

/**
 * What the sender of a request may do, once more within each work of the request, so that its commit proves it: where the store has transactions over streams, nothing is stored for a person who
 * was removed or erased, a phone that was revoked or stopped, a session that has ended, or a token that was revoked, since the request was let in (specification/storage.md#what-a-decision-rests-on).
 */
export class AuthorityProof {
  constructor(private readonly parts: AuthorityProofParts) {}

  /**
   * Throws {@link AuthorityEnded} when the caller would not be let in any more, and {@link AuthorityReduced} when a right is gone that the caller had when the request was let in.
   * Throws NewerEventStored.
   */
  async require(looks: StreamLooks, caller: Administrator): Promise<void> {
    if (caller.human) return this.#requirePerson(looks, caller, caller.human);
    if (caller.id !== FIRST_START) return this.#requireToken(looks, caller);
    if (caller.firstStartOnly && (await looked(looks, MEMBERS, MEMBERS_STREAM)).firstStartEnded) throw new AuthorityEnded('the first start is over');
  }

  /** Where the phone may act for the person: nowhere once it is revoked, or the person erased. Throws NewerEventStored. */
  async placesOf(looks: StreamLooks, { identityId, deviceId }: PersonAndPhone): Promise<readonly Membership[]> {
    if ((await this.parts.living.executeIn(looks, deviceId)) !== identityId) return [];
    const names = this.parts.names.ofIdentity(identityId);
    const { memberships } = await looked(looks, MEMBERS, MEMBERS_STREAM);
    return this.parts.phones.trustedIn(
      looks,
      { identityId, deviceId },
      memberships.filter((each) => names.includes(each.subjectId)),
    );
  }

  async #requirePerson(looks: StreamLooks, caller: Administrator, human: HumanAdministrator): Promise<void> {
    const { clock, idle, living } = this.parts;
    const session = await looked(looks, SESSIONS, PORTAL_SESSIONS.of(human.sessionId as PortalSessionId));
    if (!session || !liveSession(session, clock.now(), idle)) throw new AuthorityEnded('the session of the portal has ended');
    if ((await living.executeIn(looks, human.deviceId)) !== human.identityId) throw new AuthorityEnded('the phone was revoked, or the person erased');
    if (!holdsAll(rightsOf(await this.placesOf(looks, human)), caller)) throw new AuthorityReduced('the person has fewer rights now');
  }

  async #requireToken(looks: StreamLooks, { id }: Administrator): Promise<void> {
    const { tokens } = await looked(looks, TOKENS, TOKENS_STREAM);
    const token = tokens.find(({ tokenId }) => tokenId === id);
    if (!token || !isValid(token, this.parts.clock.now())) throw new AuthorityEnded('the token was revoked, or is over');
  }
}

/** Throws NewerEventStored: an event of a newer release may have withdrawn the right. */
const looked = async <State, Command, Event extends DomainEvent>(
  looks: StreamLooks,
  type: StreamType<State, Command, Event>,
  stream: StreamName,
): Promise<State> => {
  const { state, newer } = await looks.look(type, stream);
  if (newer) throw new NewerEventStored(newer);
  return state;
};

/** A request that was let in by an operator goes on as an operator's or not at all, also where another role would do for its route. */
const holdsAll = (present: PortalRights, { roles, teams = [] }: Pick<Administrator, 'roles' | 'teams'>): boolean =>
  roles.every((role) => present.roles.includes(role)) &&
  teams.every((team) => present.teams.some(({ clientId, role }) => clientId === team.clientId && role === team.role));
