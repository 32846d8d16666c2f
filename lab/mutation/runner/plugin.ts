import { globSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { pathToFileURL } from 'node:url';

import { partOf } from '../parts.ts';
// As jest's set-up does, before any test.
import 'reflect-metadata';

import * as globals from './globals.ts';
import type { TestOutcome } from './test-tree.ts';

/** What the instrumented code of StrykerJS reads and writes. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: MutantCoverage | undefined;
}

interface MutantCoverage {
  readonly static: Record<string, number>;
  readonly perTest: Record<string, Record<string, number>>;
}

interface MutantRun {
  readonly activeMutant: { readonly id: string };
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
}

/** Milliseconds for one test or hook, and more for one that takes long without a mutant. */
const TIME_LIMIT = 10_000;

const { tree } = globals;
// Half of the tests use the names without importing them.
Object.assign(globalThis, globals);

const instrumentation = (): Instrumentation => ((globalThis as { __stryker__?: Instrumentation }).__stryker__ ??= {});

/**
 * Runs the tests of a part in this process, with the modules loaded once: StrykerJS' runner for jest loads them again for each mutant, which takes a
 * thousand times as long as the tests of a decision.
 *
 * A mutant may leave something behind in a module. So a test that failed is repeated without the mutant: when it fails again, the process is given up,
 * and StrykerJS judges the mutant in a new one.
 */
class InProcessRunner {
  #mutants = 0;
  #spoilt = false;

  capabilities(): { readonly reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    const { roots, tests } = partOf(process.env.MUTATION_PART);
    const [wanted, left] = [tests.filter((glob) => !glob.startsWith('!')), tests.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1))];
    const files = roots.flatMap((root) => globSync(`${root}/**/*.spec.ts`)).toSorted();
    for (const file of files) {
      if (!wanted.some((glob) => matchesGlob(file, glob)) || left.some((glob) => matchesGlob(file, glob))) continue;
      await tree.file(file, () => import(pathToFileURL(join(process.cwd(), file)).href));
    }
  }

  /** All tests without a mutant. */
  async dryRun() {
    const stryker = instrumentation();
    stryker.activeMutant = undefined;
    const outcomes = await tree.run({
      timeLimit: TIME_LIMIT,
      now: (id) => {
        stryker.currentTestId = id;
      },
    });
    return {
      status: 'complete',
      tests: outcomes.map(({ id, milliseconds, failure }) => ({
        id,
        name: id,
        timeSpentMs: milliseconds,
        ...(failure === undefined ? { status: SUCCESS } : { status: FAILED, failureMessage: failure }),
      })),
      mutantCoverage: withHooks(stryker.mutantCoverage ?? { static: {}, perTest: {} }),
    };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRun) {
    if (this.#spoilt) throw new Error('a mutant has left something behind: a new process is needed');
    const stryker = instrumentation();
    Object.assign(stryker, { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit });
    const only = testFilter ? { only: new Set(testFilter) } : {};
    const outcomes = await tree.run({ ...only, bail: true, timeLimit: TIME_LIMIT });
    const overrun = hitLimit !== undefined && (stryker.hitCount ?? 0) > hitLimit;
    Object.assign(stryker, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    this.#mutants += 1;
    const failed = outcomes.find(({ failure }) => failure !== undefined);
    if (!failed) return { status: 'survived', nrOfTests: outcomes.length };
    await this.#lookForTraces(failed);
    if (overrun) return { status: 'timeout', reason: 'the code of the mutant ran too often' };
    return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure ?? '', nrOfTests: outcomes.length };
  }

  async #lookForTraces({ id, hung }: TestOutcome): Promise<void> {
    this.#spoilt = hung === true;
    if (this.#spoilt) return;
    const [again] = await tree.run({ only: new Set([id]), timeLimit: TIME_LIMIT });
    if (again?.failure === undefined) return;
    this.#spoilt = true;
    // The traces may be those of an earlier mutant. In a new process they are this one's.
    if (this.#mutants > 1) throw new Error(`without a mutant too: ${id}: ${again.failure}`);
  }
}

/** Of StrykerJS' TestStatus. */
const SUCCESS = 0;
const FAILED = 1;

/** What hooks of a whole block have run counts for each test of the block. */
const withHooks = ({ static: loaded, perTest }: MutantCoverage): MutantCoverage => {
  const hooked = tree.hookedTests();
  const merged: Record<string, Record<string, number>> = {};
  const add = (id: string, counts: Readonly<Record<string, number>>): void => {
    const known = (merged[id] ??= {});
    for (const [mutant, count] of Object.entries(counts)) known[mutant] = (known[mutant] ?? 0) + count;
  };
  for (const [id, counts] of Object.entries(perTest)) for (const test of hooked.get(id) ?? [id]) add(test, counts);
  return { static: loaded, perTest: merged };
};

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', factory: Object.assign(() => new InProcessRunner(), { inject: [] as const }) },
];
