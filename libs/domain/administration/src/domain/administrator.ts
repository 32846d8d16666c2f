import type { ClientId, DeviceId } from '#kernel';

/** The roles of the admin API: that with the fewest rights first, the most sensitive one last. apps/registry/src/admin-rights.ts lists the routes of each. */
export const ADMIN_ROLES = ['read', 'support', 'operator', 'security'] as const;
export type AdminRole = (typeof ADMIN_ROLES)[number];

/** The id of the token of `ADMIN_TOKEN`, or of the file `admin-token`, which has every role. */
export const FIRST_START = 'first-start';

/** The sender of a request to the admin API. */
export interface Administrator {
  /** The id of the token; {@link FIRST_START}; the subjectId of a person who is logged in to the portal. */
  readonly id: string;
  readonly roles: readonly AdminRole[];
  /** The relying parties that a person of the portal is a member of. */
  readonly clients?: readonly ClientId[];
  /** The phone by which a person of the portal has logged in. No answer holds it. */
  readonly deviceId?: DeviceId | undefined;
}
