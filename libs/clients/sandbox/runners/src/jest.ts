import type { SandboxOptions } from '../../src/index.js';
import { startForRun } from '../../src/start-sandbox.js';

/** The parts of Jest's configuration that the set-up reads. */
interface ProjectConfig {
  readonly globals: { readonly countersign?: SandboxOptions };
}

/**
 * `globalSetup` of Jest: one sandbox for all files, with the options in `globals.countersign`. It needs no `globalTeardown`: the sandbox ends with Jest, also
 * when that is killed, and the runs of `--watch` share it.
 */
const globalSetup = async (_: unknown, { globals: { countersign } }: ProjectConfig): Promise<void> => {
  await startForRun(countersign);
};

export { globalSetup as default };
export * from '../../src/index.js';
