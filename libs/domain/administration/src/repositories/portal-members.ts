import { type FindLivingPerson, PortalPersons, type SubjectNames } from '#domain/identity';
import { CommandHandler, NewerEventStored, type UnitOfWork } from '#engines/event-store';
import { type ClientId, type Clock, type DeviceId, hmac, type IdentityId, type Randomness, Secret, sha256Base64url, type SubjectId } from '#kernel';
import type { OwnClient } from '#domain/relying-party';

import type { Administrator, AdminRole } from '../domain/administrator.js';
import { InvitationNotFound } from '../domain/portal-members.errors.js';
import {
  clientOf,
  type Invitation,
  invitationsOf,
  type Membership,
  openInvitation,
  portalMembersDecider,
  type MembersState as State,
  type PortalMembersCommand,
} from '../domain/portal-members.js';
import type { InvitationId, MembershipScope } from '../domain/portal-members.events.js';
import { PORTAL_MEMBERS } from '../streams.js';

const STREAM = PORTAL_MEMBERS.of('all');
/** How long an invitation is open, in milliseconds. */
const OPEN_FOR = 72 * 3_600_000;
const ALL_ROLES: readonly AdminRole[] = ['read', 'support', 'operator', 'security'];

export interface Invited {
  readonly invitationId: InvitationId;
  /** Returned only here: the service stores its hash. */
  readonly code: Secret<string>;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** A person of the portal, and the subjectId of the login. */
export interface PortalPersonIds {
  readonly subjectId: SubjectId;
  readonly identityId: IdentityId;
}

export interface Team {
  readonly members: readonly Membership[];
  readonly invitations: readonly { readonly invitationId: InvitationId; readonly label: string; readonly expiresAt: number }[];
}

export interface PortalMembersParts {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Derives the code of the first invitation. */
  readonly key: Secret<Buffer>;
  /** Of the portal's own client. */
  readonly names: Pick<SubjectNames, 'ofIdentity' | 'ofSubject'>;
  readonly living: FindLivingPerson;
  /** Has no members. */
  readonly own: OwnClient;
}

/** The members of the portal and the invitations to it, in one stream: each request of a member reads it, so that every replica refuses a removed member at once. */
export class PortalMembers extends PortalPersons {
  readonly #handler;

  constructor(private readonly parts: PortalMembersParts) {
    super();
    this.#handler = new CommandHandler(parts.unitOfWork, { category: PORTAL_MEMBERS.category, decider: portalMembersDecider });
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
    await this.#handle({ type: 'WithdrawInvitationsOfPhone', now: this.parts.clock.now(), by: 'revocation', deviceId });
  }

  /** Ends every membership of an erased person, and the open invitations that the person made. May be repeated. Throws ServiceUnavailable and NewerEventStored. */
  removePerson(identityId: IdentityId): Promise<void> {
    return this.#handle({ type: 'RemovePerson', now: this.parts.clock.now(), by: 'erasure', names: this.parts.names.ofIdentity(identityId) });
  }

  /** The members and open invitations of a client; of the staff where it is undefined. */
  async team(clientId: ClientId | undefined): Promise<Team> {
    const { memberships, invitations } = await this.#state();
    const now = this.parts.clock.now();
    return {
      members: memberships.filter(({ scope }) => clientOf(scope) === clientId),
      invitations: invitations
        .filter(({ scope, expiresAt }) => clientOf(scope) === clientId && now < expiresAt)
        .map(({ invitationId, label, expiresAt }) => ({ invitationId, label, expiresAt })),
    };
  }

  /** A link's code of 32 random bytes, open for 72 hours, for one person. Throws InvalidRequest and OwnClientRefused. */
  async invite(label: string, scope: MembershipScope, { id: by, deviceId }: Pick<Administrator, 'id' | 'deviceId'>): Promise<Invited> {
    this.parts.own.assertIsNot(clientOf(scope));
    const code = new Secret(this.parts.randomness.bytes(32).toString('base64url'));
    const invitationId = this.parts.randomness.uuid<InvitationId>();
    return this.#invite({ invitationId, label, scope, by, ...(deviceId !== undefined && { deviceId }) }, code);
  }

  async #invite(terms: Omit<Invitation, 'hash' | 'at' | 'expiresAt'>, code: Secret<string>): Promise<Invited> {
    const now = this.parts.clock.now();
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
    const now = this.parts.clock.now();
    const open = invitations.find(({ invitationId, hash, expiresAt }) => now < expiresAt && hash === sha256Base64url(codeOf(invitationId).reveal()));
    if (open) return { invitationId: open.invitationId, code: codeOf(open.invitationId), expiresAt: open.expiresAt };
    const invitationId = this.parts.randomness.uuid<InvitationId>();
    return this.#invite({ invitationId, label: 'first-administrator', scope: { roles: ALL_ROLES }, by }, codeOf(invitationId));
  }

  /** Throws InvitationNotFound and OwnClientRefused. */
  async withdraw(invitationId: InvitationId, clientId: ClientId | undefined, by: string): Promise<void> {
    this.parts.own.assertIsNot(clientId);
    return this.#handle({ type: 'WithdrawInvitation', now: this.parts.clock.now(), by, invitationId, clientId });
  }

  /** Makes the person a member. A code works once. Throws InvitationNotFound. */
  async join(code: string, { subjectId, identityId }: PortalPersonIds): Promise<void> {
    const hash = sha256Base64url(code);
    await this.#handler.handle(STREAM, async (state) => {
      const now = this.parts.clock.now();
      const open = openInvitation(state, hash, now);
      return { type: 'Join', now, hash, subjectId, isVoid: open !== undefined && !(await this.#counts(open)) };
    });
    // The person is read after the membership is stored: an erasure that this read does not show yet will find the membership.
    if (await this.parts.living.isLiving(identityId)) return;
    await this.removePerson(identityId);
    throw new InvitationNotFound('the person was erased meanwhile');
  }

  /** Whether an open invitation still has a maker: a token, or the phone of the session in which it was made. */
  async #counts({ deviceId }: Invitation): Promise<boolean> {
    return deviceId === undefined || (await this.parts.living.execute(deviceId)) !== undefined;
  }

  /** When this resolves, every replica refuses the person and the open invitations that the person made. Throws MemberNotFound and OwnClientRefused. */
  async remove(subjectId: SubjectId, clientId: ClientId | undefined, by: string): Promise<void> {
    this.parts.own.assertIsNot(clientId);
    const names = await this.parts.names.ofSubject(subjectId);
    await this.#handle({ type: 'Remove', now: this.parts.clock.now(), by, names, clientId });
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
