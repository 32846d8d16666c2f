import { createHash, type Hash } from 'node:crypto';

import { type KeyRing, macRefusal, type MacRefusal, ringMac } from '#kernel';

import { Refusal } from '../failures.js';

const REFUSALS: Readonly<Record<MacRefusal, string>> = {
  unsigned: 'the backup ends without its MAC',
  key: 'the backup has a MAC under a key that event.json lacks: bring KEY_DIR of the service back before',
  forged: 'the backup was not made by a service with these keys, or it was changed: do not use it, and find out who has written it',
};

/** The MAC of a backup: over the text of its header and the SHA-256 of the store, which is read once. */
export class BackupMac {
  readonly #store: Hash = createHash('sha256');

  constructor(
    private readonly ring: KeyRing,
    /** The line without its end. */
    private readonly header: string,
  ) {}

  /** Takes the next bytes of the store. */
  update(chunk: Uint8Array): void {
    this.#store.update(chunk);
  }

  /** The last line of a backup. To be called once, after all bytes. */
  line(): string {
    return `${JSON.stringify({ mac: ringMac(this.ring, ...this.#parts()) })}\n`;
  }

  /** Throws a Refusal for a last line that does not carry this MAC. To be called once, after all bytes. */
  check(line: string): void {
    const refusal = macRefusal(this.ring, macIn(line), ...this.#parts());
    if (refusal) throw new Refusal(REFUSALS[refusal]);
  }

  #parts() {
    return ['backup', this.header, this.#store.digest()];
  }
}

const macIn = (line: string): string | undefined => {
  try {
    const { mac } = JSON.parse(line) as { readonly mac?: unknown };
    return typeof mac === 'string' ? mac : undefined;
  } catch {
    return undefined;
  }
};
