/** Twice the tolerance of `iat`: a proof that is older is refused for its age. Milliseconds. */
export const REMEMBERED = 120_000;

/**
 * The ids of the proofs that were seen lately. A second line of defence only: scan, confirm and decline are safe to repeat by
 * themselves (specification/app.md#device-proof).
 */
export abstract class ProofIds {
  /** Records the use of an id. Returns false when it was used in the last two minutes. `now` in epoch milliseconds. */
  abstract isNew(id: string, now: number): Promise<boolean>;

  abstract close(): void;
}
