/** Black-box tests over HTTP, of a process that the suite starts itself or of whatever answers at BASE_URL. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/conformance'],
  testMatch: ['**/*.conformance.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/conformance/support/global-setup.mjs',
  globalTeardown: '<rootDir>/conformance/support/global-teardown.mjs',
  // One file at a time: the process under test needs the other core, and the last file searches what all of them left behind.
  maxWorkers: 1,
  testSequencer: '<rootDir>/conformance/support/secrecy-last.mjs',
  reporters: ['default', '<rootDir>/conformance/support/map-reporter.mjs'],
  testTimeout: 30_000,
};
