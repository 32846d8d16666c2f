/** The messages under way, in order of position (or offset): up to where all are done, and whether there is room for more. */
export class HandledRevisions {
  /** By position, in order: whether the message is done. */
  readonly #underWay = new Map<bigint, boolean>();
  #done: bigint;
  /** Undefined while no one waits. */
  #changed: PromiseWithResolvers<void> | undefined;

  constructor(
    start: bigint,
    private readonly most: number,
    private readonly signal: AbortSignal,
  ) {
    this.#done = start;
    signal.addEventListener('abort', () => this.#changed?.resolve(), { once: true });
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
    this.#tell();
  }

  /** A message that needs no processing: {@link begin} and {@link end} at once. */
  pass(position: bigint): void {
    if (this.#underWay.size > 0) {
      this.#underWay.set(position, true);
      return;
    }
    this.#done = position;
    this.#tell();
  }

  /** Whether the next message has to wait for {@link room}. */
  get isFull(): boolean {
    return this.#underWay.size >= this.most;
  }

  /** Resolves at the next {@link end}, and when the signal aborts. */
  change(): Promise<void> {
    this.#changed ??= Promise.withResolvers<void>();
    if (this.signal.aborted) this.#changed.resolve();
    return this.#changed.promise;
  }

  /** Resolves when fewer than `most` messages are under way, and when the signal aborts. */
  async room(): Promise<void> {
    while (this.isFull && !this.signal.aborted) await this.change();
  }

  #tell(): void {
    this.#changed?.resolve();
    this.#changed = undefined;
  }
}
