import conformance from './jest.conformance.config.js';

/**
 * The conformance suite and the browser tests of login on the distributed profile: engines, two replicas of every service that has
 * clients, and nginx, as processes of this machine that are started once for all files (tools/distributed).
 */
export default {
  ...conformance,
  roots: ['<rootDir>/conformance', '<rootDir>/browser-tests'],
  testMatch: [...conformance.testMatch, '**/*.distributed.spec.ts', '**/browser-tests/{login,states,cross-origin,privacy,qr-code}.browser.spec.ts'],
  testEnvironment: '<rootDir>/tools/distributed/suite/environment.mjs',
  globalSetup: '<rootDir>/tools/distributed/suite/global-setup.mjs',
  globalTeardown: '<rootDir>/tools/distributed/suite/global-teardown.mjs',
  testTimeout: 60_000,
};
