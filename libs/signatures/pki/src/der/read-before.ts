import { RecentlyUsed } from '#kernel';

const LAST_BYTES = 20;

/**
 * Values that were read from DER, at most so many, to be found again by the same bytes. They are looked up by their last bytes, which are of a signature
 * in most structures; then all bytes are compared.
 */
export class ReadBefore<T extends { readonly der: Buffer }> {
  private readonly values: RecentlyUsed<string, T>;

  constructor(most: number) {
    this.values = new RecentlyUsed(most);
  }

  /** The value that was read from exactly these bytes. */
  find(der: Uint8Array): T | undefined {
    const value = this.values.get(lastBytes(der));
    return value?.der.equals(der) ? value : undefined;
  }

  add(value: T): void {
    this.values.set(lastBytes(value.der), value);
  }
}

const lastBytes = (der: Uint8Array): string =>
  Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('latin1', Math.max(0, der.length - LAST_BYTES));
