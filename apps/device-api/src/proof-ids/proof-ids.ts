/** Twice the tolerance of `iat`: a proof that is older is refused for its age. Milliseconds. */
export const REMEMBERED = 120_000;

/**
 * The ids of the proofs that were seen lately. A second line only: scan, confirm and decline are safe to repeat by
 * themselves (api-extensions 4).
 */
export abstract class ProofIds {
  /** Whether nobody has used the id in the last two minutes; from now on somebody has. `now` in epoch milliseconds. */
  abstract isNew(id: string, now: number): Promise<boolean>;

  abstract close(): void;
}
