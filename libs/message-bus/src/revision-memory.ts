/** Enough for the sessions of some minutes; about 100 bytes each. */
const SUBJECTS = 50_000;

/** The last revision dealt with, for the subjects heard of most recently. Whoever is forgotten is met as for the first time. */
export class RevisionMemory {
  readonly #last = new Map<string, number>();

  constructor(private readonly most = SUBJECTS) {}

  last(subject: string): number | undefined {
    return this.#last.get(subject);
  }

  note(subject: string, revision: number): void {
    this.#last.delete(subject);
    this.#last.set(subject, revision);
    if (this.#last.size <= this.most) return;
    for (const oldest of this.#last.keys()) {
      this.#last.delete(oldest);
      return;
    }
  }
}
