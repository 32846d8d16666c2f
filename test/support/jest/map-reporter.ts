import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface AggregatedResult {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly testResults: readonly { readonly ancestorTitles: readonly string[]; readonly title: string; readonly status: string }[];
  }[];
}

interface ShownTest {
  readonly file: string;
  readonly name: string;
  readonly status: string;
}

/** `token` for a file of the conformance suite, for others their kind as well: `failing.e2e`, `start-up.drill`, `lane.spec`. */
const nameOf = (path: string): string =>
  basename(path)
    .replace(/\.(conformance|distributed)\.spec\.ts$/, '')
    .replace(/(\.\w+)\.spec\.ts$/, '$1')
    .replace(/\.ts$/, '');

/**
 * Compares `docs/conformance.md` with the run: every test that the map names must exist and have passed; `file › group › …` stands for
 * all tests of a group. A skipped test counts as not shown, except in a run against a target at BASE_URL: some tests cannot run there.
 * Files that did not run are left out.
 */
export default class MapReporter {
  readonly #map: string;
  readonly #wrong: string[] = [];

  constructor({ rootDir }: { readonly rootDir: string }) {
    this.#map = join(rootDir, 'docs/conformance.md');
  }

  onRunComplete(_: unknown, { testResults }: AggregatedResult): void {
    if (!existsSync(this.#map) || process.argv.some((argument) => /^(-t|--testNamePattern)/.test(argument))) return;
    const tests = testResults.flatMap(({ testFilePath, testResults: results }): ShownTest[] => {
      const file = nameOf(testFilePath);
      return results.map(({ ancestorTitles, title, status }) => ({ file, name: [file, ...ancestorTitles, title].join(' › '), status }));
    });
    const files = new Set(tests.map(({ file }) => file));
    const accepted = process.env['BASE_URL'] ? ['passed', 'pending'] : ['passed'];
    for (const [, name = ''] of readFileSync(this.#map, 'utf8').matchAll(/`([a-z0-9.-]+ › [^`]+)`/g)) {
      if (!files.has(name.split(' › ')[0] ?? '')) continue;
      const meant = tests.filter((test) => (name.endsWith(' › …') ? test.name.startsWith(name.slice(0, -1)) : test.name === name));
      if (meant.length === 0 || meant.some(({ status }) => !accepted.includes(status))) this.#wrong.push(name);
    }
    if (this.#wrong.length > 0)
      console.error(`\ndocs/conformance.md names tests that do not exist or did not pass:\n${this.#wrong.map((name) => `  ${name}`).join('\n')}`);
  }

  getLastError(): Error | undefined {
    return this.#wrong.length === 0 ? undefined : new Error('docs/conformance.md does not match the tests');
  }
}
