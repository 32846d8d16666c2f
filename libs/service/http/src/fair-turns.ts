import { performance } from 'node:perf_hooks';

import type { onRequestHookHandler } from 'fastify';

/** Share of the time in which the event loop works, from which on a process counts as busy: above it, calls wait longer for one another than they take. */
const BUSY = 0.65;
/** Milliseconds over which that share is measured, and for which it is believed. */
const MEASURED_OVER = 50;
/** Milliseconds between two waiting calls that a busy process begins. */
const PACE = 10;
/** How often of its equal share of the calls a holder may have, until it counts as one that asks for more. */
const TOLERANCE = 1.25;
/** Milliseconds for which calls count, at least. */
const REMEMBERED = 1_000;

export interface FairTurnsParts {
  /** Share of the time since the last call of this function in which the event loop worked, from 0 to 1. */
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
 * Who begins next while a process is busy. A holder that asks for more than its equal share waits then, and goes on when the process has time, at least every {@link PACE} milliseconds one
 * call; the others never wait. A process that is not busy, or that serves one holder alone, begins every call at once.
 */
export class FairTurns {
  /** Calls of this second and of the one before. */
  #young = new Calls();
  #old = new Calls();
  #youngSince = 0;
  readonly #waiting = new Map<string, Begin[]>();
  #measuredAt = -Infinity;
  #isBusy = false;
  #isPacing = false;

  constructor(private readonly parts: FairTurnsParts) {}

  /** How many calls wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, calls) => sum + calls.length, 0);
  }

  /** Calls `begin` at once, or when it is the holder's turn. */
  take(holder: string, begin: Begin): void {
    this.#remember(holder);
    const queue = this.#waiting.get(holder);
    if (queue) queue.push(begin);
    else if (this.#asksForMore(holder) && this.#busy()) {
      this.#waiting.set(holder, [begin]);
      this.#pace();
    } else begin();
  }

  #remember(holder: string): void {
    const now = this.parts.now();
    if (now >= this.#youngSince + REMEMBERED) {
      this.#old = now < this.#youngSince + 2 * REMEMBERED ? this.#young : new Calls();
      this.#young = new Calls();
      this.#youngSince = now;
    }
    this.#young.count(holder);
  }

  #asksForMore(holder: string): boolean {
    const [young, old] = [this.#young, this.#old];
    const holders = Math.max(young.holders, old.holders);
    return holders > 1 && (young.of(holder) + old.of(holder)) * holders > (young.all + old.all) * TOLERANCE;
  }

  #busy(): boolean {
    const now = this.parts.now();
    if (now >= this.#measuredAt + MEASURED_OVER) {
      this.#isBusy = this.parts.load() >= BUSY;
      this.#measuredAt = now;
    }
    return this.#isBusy;
  }

  /** One call every {@link PACE} milliseconds while the process is busy, all of them when it is not; one holder after the other. */
  #pace(): void {
    if (this.#isPacing) return;
    this.#isPacing = true;
    this.parts.after(PACE, () => {
      this.#isPacing = false;
      const rounds = this.#busy() ? 1 : this.waiting;
      for (let round = 0; round < rounds; round += 1) this.#next();
      if (this.#waiting.size > 0) this.#pace();
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first) return;
    const [holder, [begin, ...others]] = first;
    this.#waiting.delete(holder);
    if (others.length > 0) this.#waiting.set(holder, others);
    begin?.();
  }
}

/** The event loop of this process, and its clock. */
export const ownLoop = (): FairTurnsParts => {
  let last = performance.eventLoopUtilization();
  return {
    load: () => {
      const { utilization } = performance.eventLoopUtilization(last);
      last = performance.eventLoopUtilization();
      return utilization;
    },
    now: () => performance.now(),
    after: (milliseconds, work) => void setTimeout(work, milliseconds),
  };
};

/** Lets the calls of a client wait for their turn, once it has authenticated. */
export const inFairTurns =
  (turns: FairTurns): onRequestHookHandler =>
  ({ principal }, _reply, done) => {
    const clientId = (principal as { readonly clientId?: string } | undefined)?.clientId;
    if (clientId === undefined) done();
    else turns.take(clientId, done);
  };
