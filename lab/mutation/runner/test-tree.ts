type Work = (...values: never[]) => unknown;

interface TestCase {
  readonly id: string;
  readonly block: Block;
  readonly work: Work;
}

/** A `describe`, or a whole file. */
interface Block {
  readonly title: string;
  readonly parent?: Block;
  readonly members: (Block | TestCase)[];
  readonly hooks: Readonly<Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', Work[]>>;
}

export interface TestOutcome {
  readonly id: string;
  readonly milliseconds: number;
  /** Of a test that failed. */
  readonly failure?: string;
  /** The test did not end in time, so something of it may go on. */
  readonly hung?: boolean;
}

export interface RunOptions {
  /** The ids of the tests to run. Default: all. */
  readonly only?: ReadonlySet<string>;
  /** Ends the run at the first test that fails. */
  readonly bail?: boolean;
  /** Milliseconds for one test or hook. */
  readonly timeLimit: number;
  /** Called before each test with its id and before the hooks of a whole block with theirs; undefined when it is over. */
  readonly now?: (id: string | undefined) => void;
}

const newBlock = (title: string, parent?: Block): Block => ({
  title,
  ...(parent && { parent }),
  members: [],
  hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] },
});

/**
 * The tests of several files, collected once and run as often as wanted in one process. Knows as much of jest's `describe`, `it` and hooks as the tests of
 * `parts.ts` need; anything else is an error when the file is loaded.
 */
export class TestTree {
  readonly #root = newBlock('');
  readonly #ids = new Map<string, number>();
  #open = this.#root;

  /** Collects what the work registers: the tests of one file. */
  async file(title: string, load: () => Promise<unknown>): Promise<void> {
    this.#open = newBlock(title, this.#root);
    this.#root.members.push(this.#open);
    await load();
    this.#open = this.#root;
  }

  describe(title: string, body: () => void): void {
    const outer = this.#open;
    this.#open = newBlock(title, outer);
    outer.members.push(this.#open);
    body();
    this.#open = outer;
  }

  test(title: string, work: Work): void {
    const name = [...lineOf(this.#open).map((block) => block.title), title].filter(Boolean).join(' › ');
    const before = this.#ids.get(name) ?? 0;
    this.#ids.set(name, before + 1);
    this.#open.members.push({ id: before === 0 ? name : `${name} (${before + 1})`, block: this.#open, work });
  }

  hook(kind: keyof Block['hooks'], work: Work): void {
    this.#open.hooks[kind].push(work);
  }

  /** The ids under which {@link RunOptions.now} is told of the hooks of a block, each with the tests that follow it. */
  hookedTests(): ReadonlyMap<string, readonly string[]> {
    return new Map(blocksIn(this.#root).map((block) => [hooksId(block), testsIn(block).map(({ id }) => id)]));
  }

  async run(options: RunOptions): Promise<readonly TestOutcome[]> {
    const outcomes: TestOutcome[] = [];
    await runBlock(this.#root, options, outcomes);
    return outcomes;
  }
}

/** The block and those around it, the outermost first. */
const lineOf = (block: Block): readonly Block[] => [...(block.parent ? lineOf(block.parent) : []), block];

const hooksId = (block: Block): string =>
  `hooks of ${lineOf(block)
    .map(({ title }) => title)
    .join(' › ')}`;

const isTest = (member: Block | TestCase): member is TestCase => 'work' in member;

const testsIn = (block: Block): readonly TestCase[] => block.members.flatMap((member) => (isTest(member) ? [member] : testsIn(member)));

const blocksIn = (block: Block): readonly Block[] => [block, ...block.members.flatMap((member) => (isTest(member) ? [] : blocksIn(member)))];

const stopped = (outcomes: readonly TestOutcome[], { bail }: RunOptions): boolean =>
  bail === true && outcomes.some(({ failure }) => failure !== undefined);

const runBlock = async (block: Block, options: RunOptions, outcomes: TestOutcome[]): Promise<void> => {
  const wanted = testsIn(block).filter(({ id }) => options.only?.has(id) ?? true);
  if (wanted.length === 0 || stopped(outcomes, options)) return;
  const before = await attempt(hooksId(block), block.hooks.beforeAll, options);
  if (before.failure === undefined) {
    for (const member of block.members) {
      if (stopped(outcomes, options)) break;
      if (!isTest(member)) await runBlock(member, options, outcomes);
      else if (wanted.includes(member)) outcomes.push(await runTest(member, options));
    }
  } else {
    outcomes.push(...wanted.map(({ id }) => ({ ...before, id })));
  }
  const after = await attempt(hooksId(block), block.hooks.afterAll, options);
  if (after.failure !== undefined) outcomes.push(...wanted.map(({ id }) => ({ ...after, id })));
};

const runTest = async ({ id, block, work }: TestCase, options: RunOptions): Promise<TestOutcome> => {
  const line = lineOf(block);
  const began = performance.now();
  const first = await attempt(id, [...line.flatMap(({ hooks }) => hooks.beforeEach), work], options);
  const after = await attempt(
    id,
    line.toReversed().flatMap(({ hooks }) => hooks.afterEach),
    options,
  );
  return { ...(first.failure === undefined ? after : first), milliseconds: performance.now() - began };
};

/** One after the other, until one fails. */
const attempt = async (id: string, works: readonly Work[], { timeLimit, now }: RunOptions): Promise<TestOutcome> => {
  now?.(id);
  try {
    for (const work of works)
      if ((await inTime(work, timeLimit)) === HUNG) return { id, milliseconds: timeLimit, failure: 'did not end in time', hung: true };
    return { id, milliseconds: 0 };
  } catch (error) {
    return { id, milliseconds: 0, failure: error instanceof Error ? error.message : String(error) };
  } finally {
    now?.(undefined);
  }
};

const HUNG = Symbol('hung');

const inTime = async (work: Work, timeLimit: number): Promise<unknown> => {
  const result = work();
  if (!(result instanceof Promise)) return undefined;
  const limit = Promise.withResolvers<typeof HUNG>();
  const timer = setTimeout(() => limit.resolve(HUNG), timeLimit);
  try {
    return await Promise.race([result, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
};
