/**
 * The messages under way, in order of position (or offset): up to where all are done, and whether there is room for more. `Mark`: what is known of a message beside
 * its position.
 */
export class HandledRevisions<Mark = undefined> {
  /** By position, in order: whether the message is done. */
  readonly #underWay = new Map<bigint, { isDone: boolean; readonly mark: Mark | undefined }>();
  #done: bigint;
  #mark: Mark | undefined;
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

  /** Of the message at {@link done}; undefined at the start. */
  get mark(): Mark | undefined {
    return this.#mark;
  }

  begin(position: bigint, mark?: Mark): void {
    this.#underWay.set(position, { isDone: false, mark });
  }

  end(position: bigint): void {
    const ended = this.#underWay.get(position);
    if (ended) ended.isDone = true;
    for (const [oldest, { isDone, mark }] of this.#underWay) {
      if (!isDone) break;
      [this.#done, this.#mark] = [oldest, mark];
      this.#underWay.delete(oldest);
    }
    this.#tell();
  }

  /** A message that needs no processing: {@link begin} and {@link end} at once. */
  pass(position: bigint, mark?: Mark): void {
    if (this.#underWay.size > 0) {
      this.#underWay.set(position, { isDone: true, mark });
      return;
    }
    [this.#done, this.#mark] = [position, mark];
    this.#tell();
  }

  /** Nothing is done, and the messages under way count no more: they may lie behind or beyond those that come now. */
  restart(): void {
    this.#underWay.clear();
    [this.#done, this.#mark] = [0n, undefined];
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
