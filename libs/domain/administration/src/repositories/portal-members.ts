import { type FindLivingPerson, PortalPersons, type SubjectNames } from '#domain/identity';
import { CommandHandler, type StreamLooks, NewerEventStored, type UnitOfWork } from '#engines/event-store';
import { type ClientId, type Clock, type DeviceId, hmac, type IdentityId, type Randomness, Secret, sha256Base64url, type SubjectId } from '#kernel';
import type { OwnClient } from '#domain/relying-party';

import { ADMIN_ROLES, type Administrator, type TeamRole } from '../domain/administrator.js';
import { InvitationNotFound, MemberNotFound } from '../domain/portal-members.errors.js';
import { invitationsOf, mayEndFirstStart, openInvitation, type PortalMembersCommand } from '../domain/portal-members.js';
import { clientOf, type Invitation, leads, type Membership, type MembersState as State, type Team, teamOf } from '../domain/portal-membership.js';
import type { InvitationId, MembershipScope } from '../domain/portal-members.events.js';
import { holdersOfSecurity } from '../domain/portal-roles.js';
import { FirstHolders } from './first-holders.js';
import type { PortalPhones } from './portal-phones.js';
import { MEMBERS, MEMBERS_STREAM as STREAM } from './stream-types.js';

/** How long an invitation is open, in milliseconds. */
const OPEN_FOR = 72 * 3_600_000;

export interface Invited {
  readonly invitationId: InvitationId;
  /** Returned only here: the service stores its hash. */
  readonly code: Secret<string>;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A person of the portal, the subjectId of the login, and the phone that approved it. */
export interface PortalPersonIds {
  readonly subjectId: SubjectId;
  readonly identityId: IdentityId;
  readonly deviceId: DeviceId;
}

/** The maker of an invitation. `through`: the team by whose role it is made; absent: the staff's, or a token's. */
export type Inviter = Pick<Administrator, 'id' | 'human'> & { readonly through?: ClientId | undefined };

export interface PortalMembersParts {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Derives the code of the first invitation. */
  readonly key: Secret<Buffer>;
  /** Of the portal's own client. */
  readonly names: Pick<SubjectNames, 'ofIdentity' | 'ofSubject' | 'personOf'>;
  readonly living: FindLivingPerson;
  readonly phones: Pick<PortalPhones, 'trustedIn'>;
  /** Has no members. */
  readonly own: OwnClient;
  /** How many persons have to hold `security` at one time before the first start is over for ever. */
  readonly firstHolders: number;
}

/** The members of the portal and the invitations to it, in one stream: each request of a member reads it, so that every replica refuses a removed member at once. */
export class PortalMembers extends PortalPersons {
  readonly #handler;
  readonly #firstHolders: FirstHolders;

  constructor(private readonly parts: PortalMembersParts) {
    super();
    this.#firstHolders = new FirstHolders(parts.names, parts.firstHolders);
    this.#handler = new CommandHandler(parts.unitOfWork, MEMBERS);
  }

  /** The memberships of one person, under each subjectId of the person. Throws NewerEventStored: an event of a newer release may have removed the person. */
  async of(identityId: IdentityId): Promise<readonly Membership[]> {
    return (await this.byPerson())(identityId);
  }

  /** The same for a caller who does not know the person yet. */
  async byPerson(): Promise<(identityId: IdentityId) => readonly Membership[]> {
    const { memberships } = await this.#state();
    return (identityId) => {
      const names = this.parts.names.ofIdentity(identityId);
      return memberships.filter((each) => names.includes(each.subjectId));
    };
  }

  override async isMember(identityId: IdentityId): Promise<boolean> {
    return (await this.of(identityId)).length > 0;
  }

  override async phoneRevoked(deviceId: DeviceId): Promise<void> {
    // Nothing is decided for the many phones by which no one was ever invited, whatever a newer release has stored.
    if (invitationsOf(deviceId, (await this.#handler.load(STREAM)).state).length === 0) return;
    await this.#handle({ type: 'WithdrawInvitationsOfPhone', now: this.#now, by: 'revocation', deviceId });
  }

  /** Withdraws the open invitations made with the phone by the role in this team; by that of the staff where `through` is undefined. `by`: who has stopped the phone there. */
  async phoneStopped(deviceId: DeviceId, { by, through }: { readonly by: string; readonly through: ClientId | undefined }): Promise<void> {
    await this.#handle({ type: 'WithdrawInvitationsOfPhone', now: this.#now, by, deviceId, only: { through } });
  }

  /** Ends every membership of an erased person, and the open invitations that the person made. May be repeated. Throws ServiceUnavailable and NewerEventStored. */
  removePerson(identityId: IdentityId): Promise<void> {
    return this.#handle({ type: 'RemovePerson', now: this.#now, by: 'erasure', names: this.parts.names.ofIdentity(identityId) });
  }

  /** The members and open invitations of a client; of the staff where it is undefined. */
  async team(clientId: ClientId | undefined): Promise<Team> {
    return teamOf(await this.#state(), clientId, this.#now);
  }

  /** The member, by any of the person's subjectIds. Throws MemberNotFound. */
  async memberOf(subjectId: SubjectId, clientId: ClientId | undefined): Promise<Membership> {
    const names = await this.parts.names.ofSubject(subjectId);
    const found = (await this.team(clientId)).members.find((each) => names.includes(each.subjectId));
    if (!found) throw new MemberNotFound('no such member');
    return found;
  }

  /** The role of a new member of a team for whom no role was named: the first one leads the team, and the others begin with the fewest rights. */
  async usualRole(clientId: ClientId): Promise<TeamRole> {
    const { members } = await this.team(clientId);
    return members.some(({ scope }) => leads(scope)) ? 'viewer' : 'owner';
  }

  /**
   * Whether enough persons have held `security` at one time. Without a break-glass, it stays so for ever: fewer may be enough than when they joined, since FOUR_EYES was
   * switched off, and that is stored when it is first seen.
   */
  async isFirstStartOver(): Promise<boolean> {
    const state = await this.#state();
    if (!mayEndFirstStart(state)) return state.firstStartEnded;
    if (!(await this.#firstHolders.areEnough(holdersOfSecurity(state)))) return false;
    await this.#handler.handle(STREAM, async (current) => {
      const isHeld = await this.#firstHolders.areEnough(holdersOfSecurity(current));
      return { type: 'EndFirstStart', now: this.#now, isHeld };
    });
    return (await this.#state()).firstStartEnded;
  }

  /** The first start begins again, until enough persons hold `security`. For the way back alone (specification/admin.md#break-glass). */
  reopenFirstStart(): Promise<void> {
    return this.#handle({ type: 'ReopenFirstStart', now: this.#now });
  }

  /** A link's code of 32 random bytes, open for 72 hours, for one person. Throws InvalidRequest and OwnClientRefused. */
  async invite(label: string, scope: MembershipScope, { id: by, human, through }: Inviter): Promise<Invited> {
    this.parts.own.assertIsNot(clientOf(scope));
    const code = new Secret(this.parts.randomness.bytes(32).toString('base64url'));
    const invitationId = this.parts.randomness.uuid<InvitationId>();
    const maker = { by, ...(human && { deviceId: human.deviceId }), ...(through !== undefined && { through }) };
    return this.#invite({ invitationId, label, scope, ...maker }, code);
  }

  async #invite(terms: Omit<Invitation, 'hash' | 'at' | 'expiresAt'>, code: Secret<string>): Promise<Invited> {
    const now = this.#now;
    const expiresAt = now + OPEN_FOR;
    await this.#handle({ type: 'Invite', now, ...terms, hash: sha256Base64url(code.reveal()), expiresAt });
    return { invitationId: terms.invitationId, code, expiresAt };
  }

  /**
   * An invitation with every role; undefined when the staff has or had a member. While this invitation is open, each call answers it again: its code is derived
   * from its id.
   */
  async inviteFirst(by: string): Promise<Invited | undefined> {
    const { hadStaff, invitations } = await this.#state();
    if (hadStaff) return undefined;
    const codeOf = (id: InvitationId): Secret<string> =>
      new Secret(hmac(this.parts.key.reveal(), 'portal-first-invitation', id).toString('base64url'));
    const open = invitations.find(
      ({ invitationId, hash, expiresAt }) => this.#now < expiresAt && hash === sha256Base64url(codeOf(invitationId).reveal()),
    );
    if (open) return { invitationId: open.invitationId, code: codeOf(open.invitationId), expiresAt: open.expiresAt };
    const invitationId = this.parts.randomness.uuid<InvitationId>();
    return this.#invite({ invitationId, label: 'first-administrator', scope: { roles: ADMIN_ROLES }, by }, codeOf(invitationId));
  }

  /** An invitation with every role that one person alone can use. For the way back alone. */
  inviteFor(identityId: IdentityId, by: string): Promise<Invited> {
    const code = new Secret(this.parts.randomness.bytes(32).toString('base64url'));
    const invitationId = this.parts.randomness.uuid<InvitationId>();
    return this.#invite({ invitationId, label: 'break-glass', scope: { roles: ADMIN_ROLES }, by, identityId }, code);
  }

  /** The person of a subjectId at the portal. Undefined once the person is erased. */
  async personOf(subjectId: SubjectId): Promise<IdentityId | undefined> {
    const identityId = await this.parts.names.personOf(subjectId);
    return identityId && (await this.parts.living.isLiving(identityId)) ? identityId : undefined;
  }

  /** Throws InvitationNotFound and OwnClientRefused. */
  async withdraw(invitationId: InvitationId, clientId: ClientId | undefined, by: string): Promise<void> {
    this.parts.own.assertIsNot(clientId);
    return this.#handle({ type: 'WithdrawInvitation', now: this.#now, by, invitationId, clientId });
  }

  /** Makes the person a member. A code works once. Throws InvitationNotFound. */
  async join(code: string, { subjectId, identityId, deviceId }: PortalPersonIds): Promise<void> {
    const hash = sha256Base64url(code);
    await this.parts.unitOfWork.run(async (streams) => {
      const members = await streams.load(MEMBERS, STREAM);
      streams.onReads();
      const { state } = members;
      const now = this.#now;
      const open = openInvitation(state, hash, now);
      const isForAnother = open?.identityId !== undefined && open.identityId !== identityId;
      const isVoid = open !== undefined && (isForAnother || !(await this.#counts(streams, open, state)));
      const endsFirstStart = open !== undefined && (await this.#firstHolders.endFirstStart(state, subjectId, open.scope));
      members.decide({ type: 'Join', now, hash, subjectId, deviceId, isVoid, endsFirstStart });
    });
    // The person is read after the membership is stored: an erasure that this read does not show yet will find the membership.
    if (await this.parts.living.isLiving(identityId)) return;
    await this.removePerson(identityId);
    throw new InvitationNotFound('the person was erased meanwhile');
  }

  /** Whether an open invitation still has a maker: a token, or a phone that may act where it was made. With a revoked phone falls what it has approved, so that one's invitations too. */
  async #counts(looks: StreamLooks, { deviceId, through }: Invitation, { memberships }: State): Promise<boolean> {
    if (deviceId === undefined) return true;
    const { living, names, phones } = this.parts;
    const identityId = await living.executeIn(looks, deviceId);
    if (!identityId) return false;
    const makers = names.ofIdentity(identityId);
    const places = memberships.filter((each) => makers.includes(each.subjectId) && clientOf(each.scope) === through);
    return (await phones.trustedIn(looks, { identityId, deviceId }, places)).length > 0;
  }

  /** When this resolves, every replica refuses the person there, and the open invitations that the person made by this place. Throws MemberNotFound, LastOwner and OwnClientRefused. */
  async remove(subjectId: SubjectId, clientId: ClientId | undefined, by: string): Promise<void> {
    this.parts.own.assertIsNot(clientId);
    const names = await this.parts.names.ofSubject(subjectId);
    await this.#handle({ type: 'Remove', now: this.#now, by, names, clientId });
  }

  /** Gives a member other rights in the same place. Throws MemberNotFound, LastOwner and OwnClientRefused. */
  async changeRole(subjectId: SubjectId, scope: MembershipScope, by: string): Promise<void> {
    this.parts.own.assertIsNot(clientOf(scope));
    const names = await this.parts.names.ofSubject(subjectId);
    await this.#handler.handle(STREAM, async (state) => {
      const endsFirstStart = await this.#firstHolders.endFirstStart(state, subjectId, scope);
      return { type: 'ChangeRole', now: this.#now, by, names, scope, endsFirstStart };
    });
  }

  get #now(): number {
    return this.parts.clock.now();
  }

  async #state(): Promise<State> {
    const { state, newer } = await this.#handler.load(STREAM);
    if (newer) throw new NewerEventStored(newer);
    return state;
  }

  async #handle(command: PortalMembersCommand): Promise<void> {
    await this.#handler.handle(STREAM, () => command);
  }
}
