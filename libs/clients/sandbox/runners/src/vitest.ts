import type { SandboxOptions } from '../../src/index.js';
import { startForRun } from '../../src/start-sandbox.js';

/** A `globalSetup` of Vitest with options: the default export of a file of your own. Without options name `@countersign/sandbox/vitest` itself. */
export const setUpSandbox =
  (options: SandboxOptions = {}) =>
  /** Answers the teardown, as Vitest wants it. */
  async (): Promise<() => Promise<void>> => {
    const sandbox = await startForRun(options);
    return () => sandbox.stop();
  };

const globalSetup = (): Promise<() => Promise<void>> => setUpSandbox()();

export { globalSetup as default };
export * from '../../src/index.js';
