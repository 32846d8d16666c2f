import type { Secret } from './secret.js';

export interface RingKey {
  /** Short and public: values that were made under a key name it. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Secret<Buffer>;
}

/**
 * The keys of one purpose. New values are made under the newest key whose time has come; values made under
 * any key of the ring are still recognised, so that a rotation invalidates nothing.
 */
export abstract class KeyRing {
  /** The key that new values are made under. */
  abstract current(): RingKey;
  /** The key of that id, or undefined once it was removed from the ring. */
  abstract find(id: string): RingKey | undefined;

  /** Every key of the ring, the newest first. */
  all(): readonly RingKey[] {
    return [this.current()];
  }

  /** Takes keys that were added to the ring's source since it was last read. Nothing happens where the keys are fixed. */
  async reread(): Promise<void> {}
}
