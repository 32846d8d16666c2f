import { ageNodeOf, describeRunner, newNodeProject, nodeTests, type TestRunner } from './support/index.js';

const imports = "import { expect, test } from '@jest/globals';\nimport { runningSandbox } from '@countersign/sandbox/jest';";

const command: TestRunner['command'] = (cwd, ...files) => ({
  words: [process.execPath, 'node_modules/jest/bin/jest.js', '--maxWorkers', '2', ...files],
  cwd,
  env: { NODE_OPTIONS: '--experimental-vm-modules' },
});

describeRunner({
  name: 'Jest',
  tests: 4,
  project: () => newNodeProject('jest'),
  command,
  withOldNode: (folder) => command(ageNodeOf(folder)),
  ...nodeTests(imports, 'test.js'),
});
