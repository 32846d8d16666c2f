import type { Stored } from './log-entries.js';

interface Hidden {
  /** The first hidden event of the stream; all that follow it are hidden too. */
  readonly first: Stored;
  readonly shown: (() => void)[];
}

/**
 * Appends that are stored and refuse others already, but are neither readable nor acknowledged yet. A real server compares an
 * append with the events that it has written, and reads those that it has indexed, some milliseconds later.
 */
export class ReadLag {
  readonly #hidden = new Map<string, Hidden>();
  #stopped = false;

  constructor(
    /** The milliseconds for which the next append is hidden; 0 for not at all. */
    private readonly next: () => number,
    /** Called when a stream has become readable. */
    private readonly announce: () => void,
  ) {}

  /** Calls `shown` when the append is readable: at once, later, or together with an earlier one of its stream. */
  hold(first: Stored, shown: () => void): void {
    const hidden = this.#hidden.get(first.stream);
    if (hidden) return void hidden.shown.push(shown);
    const milliseconds = this.next();
    if (milliseconds === 0) return shown();
    this.#hidden.set(first.stream, { first, shown: [shown] });
    if (Number.isFinite(milliseconds)) setTimeout(() => this.#show(first.stream), milliseconds);
  }

  firstHiddenRevision(stream: string): bigint | undefined {
    return this.#hidden.get(stream)?.first.revision;
  }

  firstHiddenPosition(): bigint | undefined {
    let lowest: bigint | undefined;
    for (const { first } of this.#hidden.values()) if (lowest === undefined || first.position < lowest) lowest = first.position;
    return lowest;
  }

  /** Shows and acknowledges nothing more. */
  stop(): void {
    this.#stopped = true;
  }

  #show(stream: string): void {
    if (this.#stopped) return;
    const { shown } = this.#hidden.get(stream)!;
    this.#hidden.delete(stream);
    for (const call of shown) call();
    this.announce();
  }
}
