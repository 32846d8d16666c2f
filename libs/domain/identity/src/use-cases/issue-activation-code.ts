import { type Clock, type IdentityId, type LocatingTokens, Secret } from '#kernel';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { PortalPersons } from '../portal-persons.js';
import type { Identities } from '../repositories/identities.js';

/** The purpose of the {@link LocatingTokens} of activation codes. */
export const ACTIVATION_CODE = 'activation-code';

const TTL = 15 * 60_000;

export interface ActivationCode {
  readonly activationCode: Secret<string>;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The sender of the request for a code. */
export interface CodeMaker {
  /** Whether the sender has the role `security`. */
  readonly bySecurity: boolean;
  /** The sender: `person:` and the identityId of a person of the portal, the id of a token, or `first-start`. Absent: the service itself. */
  readonly by?: string;
  /** Called before a code for a member of the portal is issued. Answers who has approved it, in the same words. Throws when an approval is missing. */
  readonly approve?: () => Promise<readonly string[]>;
}

/** A sender of whom nothing is known. */
const ANYONE: CodeMaker = { bySecurity: false };

export class IssueActivationCode {
  constructor(
    private readonly identities: Identities,
    private readonly portalPersons: PortalPersons,
    /** With the purpose {@link ACTIVATION_CODE}. */
    private readonly codes: LocatingTokens,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a code that enrols one device within 15 minutes. Earlier codes stay valid. Throws {@link IdentityNotFound}; SecurityRequired for a member of the
   * portal (specification/admin.md#activation-codes); what `approve` throws.
   */
  async execute(identityId: IdentityId, { bySecurity, by, approve }: CodeMaker = ANYONE): Promise<ActivationCode> {
    // Read once: the code of a person who joins after this read enrols nothing.
    const isMember = await this.portalPersons.isMember(identityId);
    const approvers = isMember && bySecurity ? await approve?.() : undefined;
    const issuers = [...new Set([...(by === undefined ? [] : [by]), ...(approvers ?? [])])];
    const { events } = await this.identities.handle(identityId, () => ({
      type: 'IssueActivationCode',
      now: this.clock.now(),
      ttl: TTL,
      isMember,
      bySecurity,
      ...(issuers.length > 0 && { by: issuers }),
    }));
    const issued = events.at(-1);
    if (issued?.type !== 'ActivationCodeIssued') throw new IdentityNotFound('nothing was issued');
    return { activationCode: new Secret(this.codes.make(identityId, issued.id)), expiresAt: issued.data.expiresAt };
  }
}
