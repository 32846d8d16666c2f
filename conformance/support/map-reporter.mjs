import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Holds `docs/conformance.md` against the run: every test that the map names must exist and have passed. Only
 * a run of all files can tell; a partial one is left alone.
 */
export default class MapReporter {
  #root;
  #missing = [];

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onRunComplete(_, { testResults, numTotalTestSuites }) {
    const map = join(this.#root, 'docs/conformance.md');
    if (!existsSync(map) || process.argv.some((argument) => /^(-t|--testNamePattern)/.test(argument))) return;
    const passed = new Set();
    const files = new Set();
    for (const { testFilePath, testResults: tests } of testResults) {
      const file = testFilePath.split('/').at(-1).replace('.conformance.spec.ts', '');
      files.add(file);
      for (const { ancestorTitles, title, status } of tests) {
        if (status !== 'failed') passed.add([file, ...ancestorTitles, title].join(' › '));
      }
    }
    const named = [...readFileSync(map, 'utf8').matchAll(/`([a-z-]+ › [^`]+)`/g)].map(([, name]) => name);
    this.#missing = named.filter((name) => files.has(name.split(' › ')[0]) && !passed.has(name));
    if (this.#missing.length === 0) return;
    console.error(`\ndocs/conformance.md names tests that do not exist or did not pass (${numTotalTestSuites} files ran):`);
    for (const name of this.#missing) console.error(`  ${name}`);
  }

  getLastError() {
    return this.#missing.length === 0 ? undefined : new Error('docs/conformance.md is out of date');
  }
}
