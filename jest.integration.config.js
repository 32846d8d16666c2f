import unit from './jest.config.js';

/** Adapters against the engines themselves, which the setup starts where the environment names none. */
export default {
  ...unit,
  testMatch: ['**/*.integration.spec.ts'],
  globalSetup: '<rootDir>/tools/integration/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/integration/global-teardown.mjs',
  maxWorkers: 1,
  testTimeout: 60_000,
};
