import { TestEnvironment } from 'jest-environment-node';

/** Node, with the topology of the run in it: all files run in the process that started it. */
export default class DistributedEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.topology = globalThis.topology;
  }
}
