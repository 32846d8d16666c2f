import type { IdentityId, LocatingTokens } from '#kernel';

/** Tells the person that an activation code names, without reading anything. Whether the code is right is not known: it may be forged or used. */
export class LocateCode {
  /** `codes`: with the purpose ACTIVATION_CODE. */
  constructor(private readonly codes: LocatingTokens) {}

  /** Undefined for a text that is no code. */
  execute(activationCode: string): IdentityId | undefined {
    return this.codes.parse(activationCode)?.id as IdentityId | undefined;
  }
}
