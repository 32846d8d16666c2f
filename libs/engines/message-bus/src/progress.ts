/** A message that was begun. */
interface Message<Mark> {
  readonly position: bigint;
  readonly mark: Mark | undefined;
  isDone: boolean;
}

/**
 * The messages under way, in order of position (or offset): up to where all are done, and whether there is room for more. `Mark`: what is known of a message beside
 * its position.
 */
export class HandledRevisions<Mark = undefined> {
  /** In order of position. No Map: see UnderWay. */
  #underWay: Message<Mark>[] = [];
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

  /** The answer is to be called when the message is done. */
  begin(position: bigint, mark?: Mark): () => void {
    const message = { position, mark, isDone: false };
    this.#underWay.push(message);
    return () => this.#end(message);
  }

  /** A message that needs no processing: it is begun, and done at once. */
  pass(position: bigint, mark?: Mark): void {
    if (this.#underWay.length > 0) {
      this.#underWay.push({ position, mark, isDone: true });
      return;
    }
    [this.#done, this.#mark] = [position, mark];
    this.#tell();
  }

  /** Nothing is done, and the messages under way count no more: they may lie behind or beyond those that come now. */
  restart(): void {
    this.#underWay = [];
    [this.#done, this.#mark] = [0n, undefined];
    this.#tell();
  }

  /** Whether the next message has to wait for {@link room}. */
  get isFull(): boolean {
    return this.#underWay.length >= this.most;
  }

  /** Resolves when the next message is done, and when the signal aborts. */
  change(): Promise<void> {
    this.#changed ??= Promise.withResolvers<void>();
    if (this.signal.aborted) this.#changed.resolve();
    return this.#changed.promise;
  }

  /** Resolves when fewer than `most` messages are under way, and when the signal aborts. */
  async room(): Promise<void> {
    while (this.isFull && !this.signal.aborted) await this.change();
  }

  /** Of a message that was begun before a {@link restart}, nothing is left to note. */
  #end(message: Message<Mark>): void {
    message.isDone = true;
    for (let [first] = this.#underWay; first?.isDone; [first] = this.#underWay) {
      [this.#done, this.#mark] = [first.position, first.mark];
      this.#underWay.shift();
    }
    this.#tell();
  }

  #tell(): void {
    this.#changed?.resolve();
    this.#changed = undefined;
  }
}
