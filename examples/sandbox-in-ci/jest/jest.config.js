export default {
  globalSetup: '@countersign/sandbox/jest',
  testMatch: ['**/*.test.{js,cjs}'],
  transform: {},
  testTimeout: 30_000,
};
