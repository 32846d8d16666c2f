/** Faults on real processes: each drill starts, kills and restarts its own. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/drills'],
  testMatch: ['**/*.drill.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/conformance/support/global-setup.mjs',
  globalTeardown: '<rootDir>/conformance/support/global-teardown.mjs',
  maxWorkers: 1,
  testTimeout: 180_000,
};
