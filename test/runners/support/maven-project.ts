import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runDirectory } from '../../support/index.js';
import { REPOSITORY } from './packages.js';

const MODULES = { helper: 'libs/clients/sandbox/java', shop: 'examples/sandbox-in-ci/junit' };

/** The example of JUnit, the module `shop`, beside our library in one build of Maven, which finds the library there. */
export const newMavenProject = async (): Promise<string> => {
  const folder = mkdtempSync(join(runDirectory(), 'junit-'));
  for (const [name, source] of Object.entries(MODULES)) cpSync(join(REPOSITORY, source), join(folder, name), { recursive: true });
  const modules = Object.keys(MODULES).map((name) => `<module>${name}</module>`);
  writeFileSync(
    join(folder, 'pom.xml'),
    `<project><modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>both</artifactId><version>1</version><packaging>pom</packaging><modules>${modules.join('')}</modules></project>`,
  );
  return folder;
};
