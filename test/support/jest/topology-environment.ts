import { TestEnvironment } from 'jest-environment-node';

/** Node, with the topology of the run as `globalThis.topology`: all files run in the process that started it. */
export default class TopologyEnvironment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    Object.assign(this.global, { topology: (globalThis as { topology?: unknown }).topology });
  }
}
