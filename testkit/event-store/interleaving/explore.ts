import { setImmediate as nextTurn } from 'node:timers/promises';

import type { StreamName } from '#engines/event-store';

import type { Turn } from './interleaved-store.js';

/** Which of two works, both waiting for a turn, makes its next call. `seen`: all that the two have done and been answered so far. */
export type Choose = (seen: string) => 0 | 1;

type Two<Item> = readonly [Item, Item];

/** Turns of the event loop after which a work that waits for nothing else asks for nothing more at once. */
const SETTLED_AFTER = 3;

/** The streams that a work has read and written. */
export interface UsedStreams {
  readonly read: Set<StreamName>;
  readonly written: Set<StreamName>;
}

export const noStreams = (): UsedStreams => ({ read: new Set(), written: new Set() });

/** Two works that use one store, call by call. Only a call that the other work could disturb, or that could disturb it, waits for a turn: all others give the same in any order. */
export class Interleaving {
  readonly used: Two<UsedStreams> = [noStreams(), noStreams()];
  readonly #waiting: Two<(() => Promise<void>)[]> = [[], []];
  readonly #answers: Two<string[]> = [[], []];
  readonly #ended = [false, false];

  /** `known`: the streams that each is known to use. `areAlike`: both do the same, so that it does not matter which of them is ahead. */
  constructor(
    private readonly known: Two<UsedStreams>,
    private readonly areAlike = false,
  ) {}

  /** For the store of the work. */
  turnOf(work: 0 | 1): Turn {
    const other = this.known[work === 0 ? 1 : 0];
    return ({ reads, writes }, what, call) => {
      for (const stream of reads) this.used[work].read.add(stream);
      for (const stream of writes) this.used[work].written.add(stream);
      const concernsOther =
        reads.some((stream) => other.written.has(stream)) || writes.some((stream) => other.read.has(stream) || other.written.has(stream));
      if (!concernsOther) return call();
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
      const chosen = first.length === 0 ? 1 : second.length === 0 ? 0 : choose(this.#seen());
      await this.#waiting[chosen].shift()!();
    }
  }

  /** All that the two have done and been answered so far. */
  #seen(): string {
    const seen = this.#answers.map((answers) => JSON.stringify(answers));
    return (this.areAlike ? seen.sort() : seen).join();
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
 * Runs `once` with every choice that leads to something that was not seen before, and so through every interleaving up to the order of calls that do not concern one another. With
 * `mostSwitches`, only through those that go over from one work to the other so often, where both could go on. Answers the number of runs.
 */
export const explore = async (once: (choose: Choose) => Promise<void>, mostSwitches = Infinity): Promise<number> => {
  const seen = new Set<string>();
  const left: (0 | 1)[][] = [[]];
  let runs = 0;
  for (let given = left.pop(); given; given = left.pop()) {
    const prefix = given;
    const made: (0 | 1)[] = [];
    await once((state) => {
      const last = made.at(-1) ?? 0;
      const choice = prefix[made.length] ?? last;
      if (made.length >= prefix.length && switchesIn(made) < mostSwitches && !seen.has(state)) {
        seen.add(state);
        left.push([...made, last === 0 ? 1 : 0]);
      }
      made.push(choice);
      return choice;
    });
    runs += 1;
  }
  return runs;
};

const switchesIn = (choices: readonly (0 | 1)[]): number => choices.filter((choice, index) => choice !== (choices[index - 1] ?? 0)).length;
