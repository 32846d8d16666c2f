interface Line {
  /** How many tasks run or wait. */
  length: number;
  tail: Promise<unknown> | undefined;
}

/** Runs tasks of one key one after another, and tasks of different keys side by side. */
export class KeyedQueue {
  readonly #lines = new Map<string, Line>();

  /** Whether no task of the key runs or waits. */
  isFree(key: string): boolean {
    return !this.#lines.has(key);
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { length: 0, tail: undefined };
    this.#lines.set(key, line);
    line.length += 1;
    const turn = async (): Promise<T> => {
      try {
        return await task();
      } finally {
        this.#leave(key, line);
      }
    };
    const result = line.tail ? line.tail.then(turn, turn) : turn();
    line.tail = result;
    return result;
  }

  /** Takes the turn of the key at once; undefined unless {@link isFree}. The turn lasts until the answer is called, which has to happen once. */
  takeAtOnce(key: string): (() => void) | undefined {
    if (!this.isFree(key)) return undefined;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const line: Line = { length: 1, tail: ended };
    this.#lines.set(key, line);
    return () => {
      this.#leave(key, line);
      end();
    };
  }

  /** Waits for the turn of the key. The turn lasts until the answer is called, which has to happen. */
  take(key: string): Promise<() => void> {
    const { promise: taken, resolve: begin } = Promise.withResolvers<() => void>();
    void this.run(key, () => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      begin(end);
      return ended;
    });
    return taken;
  }

  /** Resolves when no task runs or waits. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.allSettled([...this.#lines.values()].flatMap(({ tail }) => tail ?? []));
  }

  #leave(key: string, line: Line): void {
    line.length -= 1;
    if (line.length === 0) this.#lines.delete(key);
  }
}
