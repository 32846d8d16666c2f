import type { Invited, Team } from '#domain/administration';
import { epochSeconds } from '#kernel';

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

export interface ShownTeam {
  readonly members: readonly {
    readonly subjectId: string;
    readonly label: string;
    /** Of staff. */
    readonly roles?: readonly string[];
    /** Epoch seconds. */
    readonly since: number;
  }[];
  readonly invitations: readonly {
    readonly invitationId: string;
    readonly label: string;
    /** Epoch seconds. */
    readonly expiresAt: number;
  }[];
}

/** Links to the portal. The code stands in the fragment, which browsers send to no server. */
export class PortalLinks {
  constructor(private readonly portalUrl: string) {}

  invitation({ invitationId, code, expiresAt }: Invited): MadeInvitation {
    return { invitationId, link: `${this.portalUrl.replace(/\/+$/, '')}/#invitation=${code.reveal()}`, expiresAt: epochSeconds(expiresAt) };
  }
}

export const shownTeam = ({ members, invitations }: Team): ShownTeam => ({
  members: members.map(({ subjectId, label, scope, since }) => ({
    subjectId,
    label,
    ...('roles' in scope && { roles: scope.roles }),
    since: epochSeconds(since),
  })),
  invitations: invitations.map(({ expiresAt, ...invitation }) => ({ ...invitation, expiresAt: epochSeconds(expiresAt) })),
});
