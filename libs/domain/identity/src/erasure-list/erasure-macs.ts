import { type IdentityId, type KeyRing, macRefusal, type MacRefusal, ringMac } from '#kernel';

import type { ErasureLine } from './erasure-lines.js';

/** Message authentication codes of the lines of the list, under the keys of the events (docs/adr/0146-erasures-and-backups-authenticated.md). */
export class ErasureMacs {
  constructor(
    private readonly ring: KeyRing,
    /** Lines of another environment are forged ones. */
    private readonly environment: string,
  ) {}

  /** The line with its MAC. `after`: the MAC of the line before it. */
  signed(identityId: IdentityId, erasedAt: number, after?: string): ErasureLine & { readonly mac: string } {
    const line = { identityId, erasedAt, ...(after !== undefined && { after }) };
    return { ...line, mac: ringMac(this.ring, ...this.#parts(line)) };
  }

  /** Why the line is refused; undefined when the service has written it. */
  refusal(line: ErasureLine): MacRefusal | undefined {
    return macRefusal(this.ring, line.mac, ...this.#parts(line));
  }

  /** Reads the keys again: another service may already use a new one. */
  rereadKeys(): Promise<void> {
    return this.ring.reread();
  }

  #parts({ identityId, erasedAt, after = '' }: ErasureLine): readonly string[] {
    return ['erasure', this.environment, identityId, String(erasedAt), after];
  }
}
