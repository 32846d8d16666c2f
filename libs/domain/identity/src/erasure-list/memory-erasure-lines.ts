import { type ErasureLine, ErasureLines, type PlacedLine } from './erasure-lines.js';

/** The lines in the memory of a process whose whole store is there: they end with what they tell of. */
export class MemoryErasureLines extends ErasureLines {
  override readonly inOrder = true;
  readonly #lines: PlacedLine[] = [];

  override async append(line: ErasureLine): Promise<void> {
    this.#lines.push({ ...line, place: `line ${this.#lines.length + 1}` });
  }

  override async all(): Promise<readonly PlacedLine[]> {
    return [...this.#lines];
  }

  override async close(): Promise<void> {}
}
