/** Unit, contract and end-to-end tests: everything that needs Node alone. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/examples'],
  testMatch: ['**/*.spec.ts', '!**/*.integration.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
  // A busy machine is no failure.
  testTimeout: 30_000,
};
