import type { Clock } from '#kernel';

/** Milliseconds. Older states have mostly changed, and a refused commit costs more than a read. */
export const YOUNG = 60_000;

/** Whether the commits of a process prove the streams that their works have only looked at: as the last one has shown. */
export class LookProofs {
  #isProving = false;
  /** When the store has proved no looks any more, milliseconds of the monotonic clock. */
  #lostAt: number | undefined;

  constructor(private readonly clock: Clock) {}

  get isProving(): boolean {
    return this.#isProving;
  }

  /** A commit has shown whether it proves looks. Answers whether its work may have counted on a proof that it has not got. */
  note(isProved: boolean): { readonly isLost: boolean } {
    const now = this.clock.monotonic();
    if (this.#isProving && !isProved) this.#lostAt = now;
    this.#isProving = isProved;
    return { isLost: !isProved && this.#lostAt !== undefined && now - this.#lostAt <= YOUNG };
  }
}
