import { randomBytes, randomUUID } from 'node:crypto';

/** The source of unpredictable values for every component. */
export abstract class Randomness {
  /** A random UUID, version 4 (RFC 9562). */
  abstract uuid<Id extends string = string>(): Id;
  /** Cryptographically random bytes. */
  abstract bytes(length: number): Buffer;
}

export class SystemRandomness extends Randomness {
  override uuid<Id extends string = string>(): Id {
    return randomUUID() as Id;
  }

  override bytes(length: number): Buffer {
    return randomBytes(length);
  }
}
