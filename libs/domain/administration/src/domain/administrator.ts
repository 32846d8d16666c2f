import type { ClientId, DeviceId, IdentityId } from '#kernel';

/** The roles of the admin API: that with the fewest rights first, the most sensitive one last. apps/registry/src/admin-rights.ts lists the routes of each. */
export const ADMIN_ROLES = ['read', 'support', 'operator', 'security'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** The id of the token of `ADMIN_TOKEN`, or of the file `admin-token`, which has every role. */
export const FIRST_START = 'first-start';

/** The roles in the team of a relying party: that with the fewest rights first. */
export const TEAM_ROLES = ['viewer', 'developer', 'owner'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** The place of a person in the team of a relying party. */
export interface TeamMembership {
  readonly clientId: ClientId;
  readonly role: TeamRole;
}

/** What a machine may do: the routes, each as `<method> <pattern>`, and the relying parties that it was made for. */
export interface TokenReach {
  readonly routes: readonly string[];
  /** Absent: all relying parties. */
  readonly clients?: readonly ClientId[];
  /** Whether the routes were named when it was made. Otherwise they are those of its role, for what is not critical. */
  readonly named?: true;
}

/** The person behind a session of the portal. No answer holds any of it. */
export interface HumanAdministrator {
  readonly identityId: IdentityId;
  /** The phone by which the person has logged in. */
  readonly deviceId: DeviceId;
  /** The session of the portal. */
  readonly sessionId: string;
}

/** The sender of a request to the admin API. */
export interface Administrator {
  /** The id of the token; {@link FIRST_START}; the subjectId of a person who is logged in to the portal. */
  readonly id: string;
  readonly roles: readonly AdminRole[];
  /** Of a person of the portal: the teams of relying parties that the person belongs to. */
  readonly teams?: readonly TeamMembership[];
  /** Only of a person of the portal. */
  readonly human?: HumanAdministrator;
  /** Only of a machine token. */
  readonly reach?: TokenReach;
  /** `ADMIN_TOKEN` in a guarded environment: it may only do what leads to the first administrators (specification/admin.md#the-first-start). */
  readonly firstStartOnly?: true;
}
