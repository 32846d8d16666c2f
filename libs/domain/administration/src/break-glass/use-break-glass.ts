import type { IdentityId, Secret } from '#kernel';
import type { IssueActivationCode } from '#domain/identity';

import { type OwnChangeParts, recordOwnChange } from '../audit/record-own-change.js';
import type { Invited, PortalMembers } from '../repositories/portal-members.js';
import type { BreakGlassRequests } from './break-glass-requests.js';

/** The actor of a break-glass on the audit trail, and of the codes that it makes. */
export const BREAK_GLASS_ACTOR = 'break-glass';

export interface UseBreakGlassParts extends OwnChangeParts {
  readonly requests: BreakGlassRequests;
  readonly members: Pick<PortalMembers, 'inviteFor' | 'reopenFirstStart'>;
  readonly codes: Pick<IssueActivationCode, 'execute'>;
}

export interface WayBack {
  /** Makes the named person, and no other, a member of the staff with every role. */
  readonly invitation: Invited;
  /** Enrols a phone of the person. */
  readonly activationCode: Secret<string>;
}

/** The two runs of the command, on a machine with the keys of the service. */
export class UseBreakGlass {
  constructor(private readonly parts: UseBreakGlassParts) {}

  /** The first run. Throws BreakGlassRefused. */
  ask(identityId: IdentityId): Promise<void> {
    return this.#recorded('ask', identityId, () => this.parts.requests.ask(identityId));
  }

  /** The second run, once the waiting time is over by the clock of a running service. The first start begins again. Throws BreakGlassRefused. */
  use(identityId: IdentityId): Promise<WayBack> {
    return this.#recorded('use', identityId, async () => {
      const { requests, members, codes } = this.parts;
      await requests.use(identityId);
      await members.reopenFirstStart();
      const invitation = await members.inviteFor(identityId, BREAK_GLASS_ACTOR);
      const { activationCode } = await codes.execute(identityId, { bySecurity: true, by: BREAK_GLASS_ACTOR });
      return { invitation, activationCode };
    });
  }

  #recorded<Result>(step: string, identityId: IdentityId, work: () => Promise<Result>): Promise<Result> {
    const change = { actor: BREAK_GLASS_ACTOR, role: 'keys', action: `break-glass ${step}`, target: { identityId } };
    return recordOwnChange(this.parts, change, work);
  }
}
