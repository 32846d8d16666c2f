import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import type { onRequestHookHandler } from 'fastify';

/** Share of the time in which the event loop works or waits for a processor, from which on a process counts as busy: above it, calls wait longer for one another than they take. */
const BUSY = 0.65;
/** Milliseconds over which that share is measured, and for which it is believed, while nobody waits. */
const MEASURED_OVER = 50;
/** Milliseconds between two looks at the process while calls wait. It is measured over them. */
const PACE = 5;
/** The most waiting calls that begin at a look. All of them at once would hold up the calls of others as long as all of them take. */
const AT_ONCE = 4;
/** Milliseconds between two waiting calls that begin although the process is busy. */
const PACE_WHILE_BUSY = 50;
/** How often of its equal share of the calls a holder may have, until it counts as one that asks for more. */
const TOLERANCE = 1.25;
/** Milliseconds for which calls count, at least, and at most twice of it. Longer, a holder would be held up for what it asked for while it was alone. */
const REMEMBERED = 250;

export interface FairTurnsParts {
  /** Share of the time since the last call of this function in which the event loop worked, or waited for a processor, from 0 to 1. */
  readonly load: () => number;
  /** Milliseconds since some moment. */
  readonly now: () => number;
  /** Calls back after so many milliseconds. */
  readonly after: (milliseconds: number, work: () => void) => void;
}

type Begin = () => void;

/** Calls, by their holders. */
class Calls {
  all = 0;
  readonly #byHolder = new Map<string, number>();

  get holders(): number {
    return this.#byHolder.size;
  }

  of(holder: string): number {
    return this.#byHolder.get(holder) ?? 0;
  }

  count(holder: string): void {
    this.all += 1;
    this.#byHolder.set(holder, this.of(holder) + 1);
  }
}

/**
 * Who begins next while a process is busy. A holder that asks for more than its equal share waits then, and goes on in the time that the others leave, at least one call every
 * {@link PACE_WHILE_BUSY} milliseconds; the others do not wait, nor does one that has waited and no longer asks for more. A process that is not busy, or that serves one holder alone, begins every call at once.
 */
export class FairTurns {
  /** Calls of this quarter of a second and of the one before. */
  #young = new Calls();
  #old = new Calls();
  #youngSince = 0;
  readonly #waiting = new Map<string, Begin[]>();
  #measuredAt = -Infinity;
  #isBusy = false;
  #isPacing = false;
  /** When the last waiting call began, or the first one began to wait. */
  #begunAt = 0;

  constructor(private readonly parts: FairTurnsParts) {}

  /** How many calls wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, calls) => sum + calls.length, 0);
  }

  /** Calls `begin` at once, or when it is the holder's turn. */
  take(holder: string, begin: Begin): void {
    const queue = this.#waiting.get(holder);
    if (queue) queue.push(begin);
    else if (this.#busy(MEASURED_OVER) && this.#asksForMore(holder, 1)) {
      if (this.#waiting.size === 0) this.#begunAt = this.parts.now();
      this.#waiting.set(holder, [begin]);
      this.#pace();
    } else this.#begin(holder, begin);
  }

  #begin(holder: string, begin: Begin): void {
    this.#forget();
    this.#young.count(holder);
    begin();
  }

  #forget(): void {
    const now = this.parts.now();
    if (now < this.#youngSince + REMEMBERED) return;
    this.#old = now < this.#youngSince + 2 * REMEMBERED ? this.#young : new Calls();
    this.#young = new Calls();
    this.#youngSince = now;
  }

  /**
   * By the calls that have begun lately, those that wait, and `more`. A call that waits counts for as long as it waits: else a holder with many connections would ask for little, as few of
   * them are answered.
   */
  #asksForMore(holder: string, more = 0): boolean {
    this.#forget();
    const [young, old, waiting] = [this.#young, this.#old, this.#waiting];
    const others = [...waiting.keys()].filter((other) => young.of(other) + old.of(other) === 0).length;
    const holders = Math.max(young.holders, old.holders) + others;
    const own = young.of(holder) + old.of(holder) + (waiting.get(holder)?.length ?? 0) + more;
    return holders > 1 && own * holders > (young.all + old.all + this.waiting + more) * TOLERANCE;
  }

  /** Whether the process was busy for so many milliseconds or more. */
  #busy(milliseconds: number): boolean {
    const now = this.parts.now();
    if (now >= this.#measuredAt + milliseconds) {
      this.#isBusy = this.parts.load() >= BUSY;
      this.#measuredAt = now;
    }
    return this.#isBusy;
  }

  /** Begins some of the waiting calls at each look at which the process has time, one holder after the other. */
  #pace(): void {
    if (this.#isPacing) return;
    this.#isPacing = true;
    this.parts.after(PACE, () => {
      this.#isPacing = false;
      this.#release();
      for (let room = this.#room(); room > 0; room -= 1) this.#next();
      if (this.#waiting.size > 0) this.#pace();
    });
  }

  /** Begins all calls of the holders that no longer ask for more than their share. */
  #release(): void {
    for (const [holder, calls] of this.#waiting) {
      if (this.#asksForMore(holder)) continue;
      this.#waiting.delete(holder);
      for (const begin of calls) this.#begin(holder, begin);
    }
  }

  /** How many waiting calls may begin now. */
  #room(): number {
    if (!this.#busy(PACE)) return AT_ONCE;
    return this.parts.now() >= this.#begunAt + PACE_WHILE_BUSY ? 1 : 0;
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const [holder, [begin, ...others]] = first;
    this.#waiting.delete(holder);
    if (others.length > 0) this.#waiting.set(holder, others);
    this.#begunAt = this.parts.now();
    if (begin) this.#begin(holder, begin);
  }
}

/**
 * The event loop of this process, and its clock. Time in which the loop is ready to work and waits for a processor counts as work: on a machine that its processes share,
 * each of them may have a loop with little to do while all of them wait.
 */
export const ownLoop = (): FairTurnsParts => {
  let [last, waited, at] = [performance.eventLoopUtilization(), waitedForProcessor(), performance.now()];
  return {
    load: () => {
      const [before, since] = [waited, at];
      const { utilization } = performance.eventLoopUtilization(last);
      [last, waited, at] = [performance.eventLoopUtilization(), waitedForProcessor(), performance.now()];
      return Math.min(1, utilization + (waited - before) / Math.max(1, at - since));
    },
    now: () => performance.now(),
    after: (milliseconds, work) => void setTimeout(work, milliseconds),
  };
};

/** How long the main thread has waited for a processor since it began, in milliseconds: the second number of `schedstat` (proc(5)). 0 where the system does not tell. */
const waitedForProcessor = (): number => {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
};

/** Lets the calls of a client wait for their turn, once it has authenticated. */
export const inFairTurns =
  (turns: FairTurns): onRequestHookHandler =>
  ({ principal }, _reply, done) => {
    const clientId = (principal as { readonly clientId?: string } | undefined)?.clientId;
    if (clientId === undefined) done();
    else turns.take(clientId, done);
  };
