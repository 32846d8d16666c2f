import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CHROMIUM } from '#testkit/programs/browsers/chromium';
import { reservePort } from '#testkit/processes/reserve-port';

import { ageNodeOf, describeRunner, newNodeProject, nodeTests, type TestRunner } from './support/index.js';

const imports = "import { expect, test } from '@playwright/test';\nimport { runningSandbox } from '@countersign/sandbox/playwright';";
const port = await reservePort();

/** The example with the browser of this machine in place of Playwright's own. */
const newProject = async (): Promise<string> => {
  const folder = await newNodeProject('playwright');
  const config = `import config from './playwright.config.js';
export default { ...config, use: { ...config.use, launchOptions: { executablePath: ${JSON.stringify(CHROMIUM)} } } };
`;
  writeFileSync(join(folder, 'local.config.js'), config);
  return folder;
};

const command: TestRunner['command'] = (cwd, ...files) => ({
  words: [
    process.execPath,
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config',
    'local.config.js',
    '--workers',
    '2',
    '--reporter',
    'list',
    ...files,
  ],
  cwd,
  env: { ORIGIN: `http://localhost:${port}` },
});

describeRunner({
  name: 'Playwright',
  tests: 3,
  project: newProject,
  command,
  withOldNode: (folder) => command(ageNodeOf(folder)),
  ...nodeTests(imports, 'spec.js'),
});
