import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';

/** Where every component gets unpredictable values from. */
export abstract class Randomness {
  /** A random UUID, version 4 (RFC 9562). */
  abstract uuid<Id extends string = string>(): Id;
  /** Cryptographically random bytes. */
  abstract bytes(length: number): Buffer;
}

/** To ask the operating system's generator costs as much for a page of bytes as for twelve. */
const SUPPLY = 4_096;
/** A larger part of it is asked for by itself. */
const LARGE = 256;

export class SystemRandomness extends Randomness {
  readonly #supply = Buffer.alloc(SUPPLY);
  #used = SUPPLY;

  override uuid<Id extends string = string>(): Id {
    return randomUUID() as Id;
  }

  override bytes(length: number): Buffer {
    if (length > LARGE) return randomBytes(length);
    if (this.#used + length > SUPPLY) {
      randomFillSync(this.#supply);
      this.#used = 0;
    }
    const part = this.#supply.subarray(this.#used, (this.#used += length));
    const bytes = Buffer.from(part);
    // Nothing that was handed out lies here for a second time.
    part.fill(0);
    return bytes;
  }
}
