/** Faults on real processes: each drill starts, kills and restarts its own. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/drills'],
  testMatch: ['**/*.drill.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  setupFiles: ['reflect-metadata', '<rootDir>/drills/support/run-directory-per-file.mjs'],
  globalSetup: '<rootDir>/conformance/support/global-setup.mjs',
  globalTeardown: '<rootDir>/conformance/support/global-teardown.mjs',
  // Most drills wait most of the time.
  maxWorkers: 2,
  testTimeout: 180_000,
};
