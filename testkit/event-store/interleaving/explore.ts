import { setImmediate as nextTurn } from 'node:timers/promises';

import type { StreamName } from '#engines/event-store';

import type { Turn } from './interleaved-store.js';

/** Which of two works, both waiting for a turn, makes its next call. `seen`: all that the two have done and been answered so far. */
export type Choose = (seen: string) => 0 | 1;

type Two<Item> = readonly [Item, Item];

/** Turns of the event loop after which a work that waits for nothing else asks for nothing more at once. */
const SETTLED_AFTER = 3;

/** Two works that use one store, call by call. Only calls about streams that both of them use wait for a turn: the others cannot disturb one another. */
export class Interleaving {
  /** The streams that each has used. */
  readonly used: Two<Set<StreamName>> = [new Set(), new Set()];
  readonly #waiting: Two<(() => Promise<void>)[]> = [[], []];
  readonly #answers: Two<string[]> = [[], []];
  readonly #ended = [false, false];

  constructor(private readonly shared: ReadonlySet<StreamName>) {}

  /** For the store of the work. */
  turnOf(work: 0 | 1): Turn {
    return (streams, what, call) => {
      for (const stream of streams) this.used[work].add(stream);
      if (!streams.some((stream) => this.shared.has(stream))) return call();
      const made = Promise.withResolvers<Awaited<ReturnType<typeof call>>>();
      this.#waiting[work].push(async () => {
        try {
          const answer = await call();
          this.#answers[work].push(`${what} ${summary(answer)}`);
          made.resolve(answer);
        } catch (error) {
          this.#answers[work].push(`${what} ${(error as Error).name}`);
          made.reject(error as Error);
        }
      });
      return made.promise;
    };
  }

  /** Runs both to their ends. Neither may reject. */
  async run(works: Two<() => Promise<void>>, choose: Choose): Promise<void> {
    works.forEach((work, index) => void work().finally(() => (this.#ended[index] = true)));
    for (;;) {
      await this.#settled();
      const [first, second] = this.#waiting;
      if (first.length === 0 && second.length === 0) return;
      const chosen = first.length === 0 ? 1 : second.length === 0 ? 0 : choose(JSON.stringify(this.#answers));
      await this.#waiting[chosen].shift()!();
    }
  }

  /** Both wait for a turn, or have ended. */
  async #settled(): Promise<void> {
    for (let quiet = 0; quiet < SETTLED_AFTER;) {
      await nextTurn();
      const isQuiet = this.#waiting.every((waiting, index) => waiting.length > 0 || this.#ended[index]);
      quiet = isQuiet ? quiet + 1 : 0;
    }
  }
}

const summary = (answer: unknown): string => {
  if (!Array.isArray(answer)) return JSON.stringify(answer, ['revision']) ?? '';
  return (answer as { readonly type?: string; readonly revision?: number }[]).map(({ type, revision }) => `${revision} ${type}`).join();
};

/**
 * Runs `once` with every choice that leads to something that was not seen before, and so through every interleaving up to the order of calls that do not concern one another. Answers the
 * number of runs.
 */
export const explore = async (once: (choose: Choose) => Promise<void>): Promise<number> => {
  const seen = new Set<string>();
  const left: (0 | 1)[][] = [[]];
  let runs = 0;
  for (let given = left.pop(); given; given = left.pop()) {
    const prefix = given;
    const made: (0 | 1)[] = [];
    await once((state) => {
      const choice = prefix[made.length] ?? 0;
      if (made.length >= prefix.length && !seen.has(state)) {
        seen.add(state);
        left.push([...made, 1]);
      }
      made.push(choice);
      return choice;
    });
    runs += 1;
  }
  return runs;
};
