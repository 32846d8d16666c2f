import { jest } from '@jest/globals';

// jest takes `testTimeout` for all projects together only; each of ours has one of its own, as a global.
jest.setTimeout((globalThis as unknown as { testTimeout: number }).testTimeout);
