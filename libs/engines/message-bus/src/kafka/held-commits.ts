/** Commits the next offset to read of each of these partitions. */
type Commit = (offsets: ReadonlyMap<number, bigint>) => Promise<unknown>;

/** Milliseconds that an offset may wait, so that the batches of all partitions share a request. */
const HELD = 200;

/**
 * The offsets of one consumer until they are committed: at most five requests a second, however many batches there are. After a crash, messages of the last fifth of a
 * second may be handed over again, besides those that were under way.
 */
export class HeldCommits {
  readonly #waiting = new Map<number, bigint>();
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly commit: Commit,
    private readonly held = HELD,
  ) {}

  /** All messages of the partition before this offset have been processed. Throws the error of the last request if it has failed. */
  note(partition: number, offset: bigint): void {
    this.#waiting.set(partition, offset);
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.error;
    this.#timer ??= setTimeout(() => void this.flush().catch((error: unknown) => (this.#failure = { error })), this.held);
  }

  /** Commits what waits, one request after the other. Throws its error; the offsets wait on then. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const request = this.#underWay.then(() => this.#commitAll());
    this.#underWay = request.catch(() => undefined);
    await request;
  }

  /** The partitions may belong to another member now, which must not be set back: what waits is forgotten. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
    this.#failure = undefined;
  }

  async #commitAll(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const offsets = new Map(this.#waiting);
    await this.commit(offsets);
    for (const [partition, offset] of offsets) if (this.#waiting.get(partition) === offset) this.#waiting.delete(partition);
  }
}
