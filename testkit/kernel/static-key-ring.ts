import { KeyRing, type RingKey } from '#kernel';

/** A ring of fixed keys, newest first. */
export class StaticKeyRing extends KeyRing {
  constructor(private readonly keys: readonly [RingKey, ...RingKey[]]) {
    super();
  }

  override current(): RingKey {
    return this.keys[0];
  }

  override find(id: string): RingKey | undefined {
    return this.keys.find((key) => key.id === id);
  }

  override all(): readonly RingKey[] {
    return this.keys;
  }
}
