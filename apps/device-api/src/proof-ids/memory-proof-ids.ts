import { ProofIds, REMEMBERED } from './proof-ids.js';

/** The proof ids that this replica has seen. */
export class MemoryProofIds extends ProofIds {
  #recent = new Set<string>();
  #older = new Set<string>();
  #turnedAt = -Infinity;

  override async isNew(id: string, now: number): Promise<boolean> {
    if (now - this.#turnedAt >= REMEMBERED) {
      this.#older = this.#recent;
      this.#recent = new Set();
      this.#turnedAt = now;
    }
    if (this.#recent.has(id) || this.#older.has(id)) return false;
    this.#recent.add(id);
    return true;
  }

  override close(): void {
    this.#recent.clear();
    this.#older.clear();
  }
}
