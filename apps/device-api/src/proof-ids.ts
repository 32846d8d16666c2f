/** Twice the tolerance of `iat`: nobody can repeat a proof that is older. Milliseconds. */
const REMEMBERED = 120_000;

/**
 * The ids of the proofs that this replica has seen. A second line only: scan, confirm and decline are safe to
 * repeat by themselves (api-extensions 4).
 */
export class ProofIds {
  #recent = new Set<string>();
  #older = new Set<string>();
  #turnedAt = -Infinity;

  /** Whether nobody has used the id in the last two minutes; from now on somebody has. `now` in epoch milliseconds. */
  isNew(id: string, now: number): boolean {
    if (now - this.#turnedAt >= REMEMBERED) {
      this.#older = this.#recent;
      this.#recent = new Set();
      this.#turnedAt = now;
    }
    if (this.#recent.has(id) || this.#older.has(id)) return false;
    this.#recent.add(id);
    return true;
  }
}
