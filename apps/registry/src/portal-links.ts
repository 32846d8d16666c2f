import type { AdminRole, Invited, Team, TeamRole } from '#domain/administration';
import { epochSeconds } from '#kernel';

import type { ShownNewPhone } from './members-phones.js';

/** An invitation as its maker gets it, once. */
export interface MadeInvitation {
  readonly invitationId: string;
  /**
   * Returned only here. The first person who logs in with it becomes the member.
   *
   * @format uri
   */
  readonly link: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

interface ShownRights {
  /** Of staff. */
  readonly roles?: readonly AdminRole[];
  /** In the team of a relying party. */
  readonly role?: TeamRole;
}

export interface ShownMember extends ShownRights {
  readonly subjectId: string;
  readonly label: string;
  /** Epoch seconds. */
  readonly since: number;
}

export interface ShownTeam {
  readonly members: readonly ShownMember[];
  readonly invitations: readonly (ShownRights & {
    readonly invitationId: string;
    readonly label: string;
    /** Epoch seconds. */
    readonly expiresAt: number;
  })[];
  /** For those who may see and stop the members' phones: each phone that a member has got within the last seven days. The newest first. */
  readonly newPhones?: readonly ShownNewPhone[];
}

/** Links to the portal. The code stands in the fragment, which browsers send to no server. */
export class PortalLinks {
  constructor(private readonly portalUrl: string) {}

  invitation({ invitationId, code, expiresAt }: Invited): MadeInvitation {
    return { invitationId, link: `${this.portalUrl.replace(/\/+$/, '')}/#invitation=${code.reveal()}`, expiresAt: epochSeconds(expiresAt) };
  }
}

export const shownTeam = ({ members, invitations }: Team): ShownTeam => ({
  members: members.map(({ subjectId, label, scope, since }) => ({ subjectId, label, ...rightsOf(scope), since: epochSeconds(since) })),
  invitations: invitations.map(({ invitationId, label, scope, expiresAt }) => ({
    invitationId,
    label,
    ...rightsOf(scope),
    expiresAt: epochSeconds(expiresAt),
  })),
});

const rightsOf = (scope: Team['members'][number]['scope']): ShownRights => ('roles' in scope ? { roles: scope.roles } : { role: scope.role });
