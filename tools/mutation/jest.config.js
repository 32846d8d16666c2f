import config from '../../jest.config.js';
import { partOf } from './parts.ts';

const unit = config.projects.find(({ displayName }) => displayName === 'unit');
const { roots, tests } = partOf(process.env.MUTATION_PART);

/** The unit tests of one part, as one project: StrykerJS records the mutants that each test runs in one environment only. */
export default {
  ...unit,
  rootDir: '../..',
  roots: roots.map((root) => `<rootDir>/${root}`),
  testMatch: tests,
  globalSetup: undefined,
  globals: { testTimeout: 10_000 },
};
