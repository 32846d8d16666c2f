import { ageNodeOf, describeRunner, newNodeProject, nodeTests, type TestRunner } from './support/index.js';

const imports = "import { expect, test } from 'vitest';\nimport { runningSandbox } from '@countersign/sandbox/vitest';";

const command: TestRunner['command'] = (cwd, ...files) => ({
  words: [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '--maxWorkers', '2', ...files],
  cwd,
});

describeRunner({
  name: 'Vitest',
  tests: 3,
  project: () => newNodeProject('vitest'),
  command,
  withOldNode: (folder) => command(ageNodeOf(folder)),
  ...nodeTests(imports, 'test.js'),
});
