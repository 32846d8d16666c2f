/** The messages under way, in order of position (or offset): up to where all are done, and whether there is room for more. */
export class Progress {
  /** By position, in order: whether the message is done. */
  readonly #underWay = new Map<bigint, boolean>();
  #done: bigint;
  #changed = Promise.withResolvers<void>();

  constructor(
    start: bigint,
    private readonly most: number,
    private readonly signal: AbortSignal,
  ) {
    this.#done = start;
    signal.addEventListener('abort', () => this.#changed.resolve(), { once: true });
  }

  /** All messages up to this position have been processed. */
  get done(): bigint {
    return this.#done;
  }

  begin(position: bigint): void {
    this.#underWay.set(position, false);
  }

  end(position: bigint): void {
    this.#underWay.set(position, true);
    for (const [oldest, done] of this.#underWay) {
      if (!done) break;
      this.#done = oldest;
      this.#underWay.delete(oldest);
    }
    this.#changed.resolve();
    if (!this.signal.aborted) this.#changed = Promise.withResolvers();
  }

  /** Resolves at the next {@link end}, and when the signal aborts. */
  change(): Promise<void> {
    return this.#changed.promise;
  }

  /** Resolves when fewer than `most` messages are under way, and when the signal aborts. */
  async room(): Promise<void> {
    while (this.#underWay.size >= this.most && !this.signal.aborted) await this.change();
  }
}
