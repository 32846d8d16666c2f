import { closeSync, constants, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The checkpoints of the real server that a copy needs: `chaser.chk` holds the position up to which everything is stored. An operator who puts a copy back copies it
 * to `truncate.chk`; the next start removes what was written after that position.
 */
export class CheckpointFiles {
  readonly #chaser: number;
  readonly #truncate: string;
  readonly #bytes = Buffer.alloc(8);

  constructor(folder: string) {
    this.#truncate = join(folder, 'truncate.chk');
    this.#chaser = openSync(join(folder, 'chaser.chk'), constants.O_RDWR | constants.O_CREAT);
  }

  /** The position to truncate the log at; undefined when no copy was put back. */
  truncation(): bigint | undefined {
    return existsSync(this.#truncate) ? readFileSync(this.#truncate).readBigInt64LE() : undefined;
  }

  /** The log ends at the position now. */
  truncated(): void {
    rmSync(this.#truncate);
  }

  /** Everything up to the position is on disk. */
  store(position: bigint): void {
    this.#bytes.writeBigInt64LE(position);
    writeSync(this.#chaser, this.#bytes, 0, this.#bytes.length, 0);
  }

  close(): void {
    closeSync(this.#chaser);
  }
}
