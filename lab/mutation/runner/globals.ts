import { format } from 'node:util';

import { TestTree } from './test-tree.ts';

// What the tests of `parts.ts` import from `@jest/globals`, for the runner of mutants. `module-hooks.ts` puts it in that place.

export { expect } from 'expect';

/** Where the tests of this process are collected. */
export const tree = new TestTree();

type Work = (...values: never[]) => unknown;

/** A table whose rows are all lists gives each list as the arguments, any other one each row as the only argument. */
const each =
  (register: (title: string, work: () => unknown) => void) =>
  (table: readonly unknown[]) =>
  (title: string, work: (...values: unknown[]) => unknown): void => {
    const lists = table.every((row) => Array.isArray(row));
    for (const row of table) {
      const values = lists ? (row as readonly unknown[]) : [row];
      register(format(title, ...values.filter((value) => typeof value !== 'object')), () => work(...values));
    }
  };

const test = (title: string, work: Work): void => tree.test(title, work);
const block = (title: string, body: () => void): void => tree.describe(title, body);

export const it = Object.assign(test, { each: each((title, work) => tree.test(title, work)) });
export const describe = Object.assign(block, { each: each((title, work) => tree.describe(title, () => void work())) });
export const beforeAll = (work: Work): void => tree.hook('beforeAll', work);
export const afterAll = (work: Work): void => tree.hook('afterAll', work);
export const beforeEach = (work: Work): void => tree.hook('beforeEach', work);
export const afterEach = (work: Work): void => tree.hook('afterEach', work);
