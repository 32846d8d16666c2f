import { newReturnToken } from '#clients/relying-party';

/** Milliseconds; longer than the life of a login. */
const LIFE = 15 * 60 * 1000;

/**
 * The random values in the returnUrls of logins on the same device. Each one must come back to the browser that it was made for. If
 * another browser brings it, the link was passed on to another person, and that login is never finished.
 */
export class ReturnValues {
  readonly #issued = new Map<string, { readonly expiresAt: number; openedElsewhere: boolean }>();

  constructor(private readonly now: () => number) {}

  issue(): string {
    for (const [value, { expiresAt }] of this.#issued) {
      if (expiresAt > this.now()) break;
      this.#issued.delete(value);
    }
    const value = newReturnToken();
    this.#issued.set(value, { expiresAt: this.now() + LIFE, openedElsewhere: false });
    return value;
  }

  openedElsewhere(value: string): void {
    const issued = this.#issued.get(value);
    if (issued) issued.openedElsewhere = true;
  }

  isSound(value: string): boolean {
    return this.#issued.get(value)?.openedElsewhere === false;
  }
}
