import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Holds `docs/conformance.md` against the run: every test that the map names must exist and have passed;
 * `file › group › …` stands for all tests of a group. Files that did not run are left alone.
 */
export default class MapReporter {
  #map;
  #wrong = [];

  constructor({ rootDir }) {
    this.#map = join(rootDir, 'docs/conformance.md');
  }

  onRunComplete(_, { testResults }) {
    if (!existsSync(this.#map) || process.argv.some((argument) => /^(-t|--testNamePattern)/.test(argument))) return;
    const tests = testResults.flatMap(({ testFilePath, testResults: results }) => {
      const file = testFilePath.split('/').at(-1).split('.')[0];
      return results.map(({ ancestorTitles, title, status }) => ({ file, name: [file, ...ancestorTitles, title].join(' › '), failed: status === 'failed' }));
    });
    const files = new Set(tests.map(({ file }) => file));
    for (const [, name] of readFileSync(this.#map, 'utf8').matchAll(/`([a-z0-9-]+ › [^`]+)`/g)) {
      if (!files.has(name.split(' › ')[0])) continue;
      const meant = name.endsWith(' › …') ? tests.filter((test) => test.name.startsWith(name.slice(0, -1))) : tests.filter((test) => test.name === name);
      if (meant.length === 0 || meant.some(({ failed }) => failed)) this.#wrong.push(name);
    }
    if (this.#wrong.length > 0) console.error(`\ndocs/conformance.md names tests that do not exist or did not pass:\n${this.#wrong.map((name) => `  ${name}`).join('\n')}`);
  }

  getLastError() {
    return this.#wrong.length === 0 ? undefined : new Error('docs/conformance.md does not match the tests');
  }
}
