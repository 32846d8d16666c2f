import { existsSync } from 'node:fs';

import { CHROMIUM } from './browser-tests/support/chromium.mjs';

// Whoever has no Chromium can still work; CI must have one, and fails when it starts none.
const skipped = !process.env.CI && !existsSync(CHROMIUM);
if (skipped) console.warn(`Skipped: no browser at ${CHROMIUM} (apt-get install chromium zbar-tools, or set CHROMIUM).`);

/** The pages in a real browser, served by a process that the suite starts, or by whatever answers at BASE_URL. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/browser-tests'],
  testMatch: ['**/*.browser.spec.ts'],
  testPathIgnorePatterns: skipped ? ['/browser-tests/'] : ['/node_modules/'],
  passWithNoTests: skipped,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/conformance/support/global-setup.mjs',
  globalTeardown: '<rootDir>/conformance/support/global-teardown.mjs',
  // A browser and the process under test are two programs already.
  maxWorkers: 1,
  testTimeout: 60_000,
};
