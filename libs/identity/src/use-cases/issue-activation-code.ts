import { type Clock, type IdentityId, type LocatingTokens, Secret } from '#kernel';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { Identities } from '../repositories/identities.js';

/** The purpose of the {@link LocatingTokens} of activation codes. */
export const ACTIVATION_CODE = 'activation-code';

const TTL = 15 * 60_000;

export interface ActivationCode {
  readonly activationCode: Secret<string>;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export class IssueActivationCode {
  constructor(
    private readonly identities: Identities,
    /** With the purpose {@link ACTIVATION_CODE}. */
    private readonly codes: LocatingTokens,
    private readonly clock: Clock,
  ) {}

  /** Makes a code that enrols one device within 15 minutes. Earlier codes stay valid. Throws {@link IdentityNotFound}. */
  async execute(identityId: IdentityId): Promise<ActivationCode> {
    const { events } = await this.identities.handle(identityId, () => ({ type: 'IssueActivationCode', now: this.clock.now(), ttl: TTL }));
    const issued = events.at(-1);
    if (issued?.type !== 'ActivationCodeIssued') throw new IdentityNotFound('nothing was issued');
    return { activationCode: new Secret(this.codes.make(identityId, issued.id)), expiresAt: issued.data.expiresAt };
  }
}
