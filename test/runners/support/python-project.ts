import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { PYTHON_WITH_PYTEST } from '#testkit/programs/pytest/build';

import { runDirectory } from '../../support/index.js';
import { REPOSITORY } from './packages.js';
import { succeed } from './run.js';

/** Where {@link newPythonProject} installs our package. */
export const SITE = 'site-packages';

/** The example of pytest in a folder of its own, with our package built and installed beside it. */
export const newPythonProject = async (): Promise<string> => {
  const folder = mkdtempSync(join(runDirectory(), 'pytest-'));
  cpSync(join(REPOSITORY, 'examples/sandbox-in-ci/pytest'), folder, { recursive: true });
  // The build writes into the folder of the sources.
  cpSync(join(REPOSITORY, 'libs/clients/sandbox/python'), join(folder, 'sources'), { recursive: true });
  const install = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--no-build-isolation', '--target', SITE, './sources'];
  await succeed({ words: [PYTHON_WITH_PYTEST, ...install], cwd: folder });
  return folder;
};
