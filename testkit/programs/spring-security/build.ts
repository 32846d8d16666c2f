import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

const SOURCES = import.meta.dirname;

/** The application as one archive that `java -jar` starts, built once into the user's cache folder, by the state of its sources. Needs Java 17 and Maven. Throws when it cannot be built. */
export const buildSpringSecurity = (): string => {
  const state = createHash('sha256');
  for (const file of globSync('{pom.xml,src/**/*.java}', { cwd: SOURCES }).toSorted()) state.update(readFileSync(join(SOURCES, file)));
  const archive = join(TOOLS_CACHE, `spring-security-${state.digest('hex').slice(0, 16)}.jar`);
  if (existsSync(archive)) return archive;
  const built = join(TOOLS_CACHE, `new-spring-security-${process.pid}`);
  mkdirSync(built, { recursive: true });
  try {
    execFileSync('mvn', ['-q', '-B', 'package', `-Dout=${built}`], { cwd: SOURCES, stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(join(built, 'spring-security.jar'), archive);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
  return archive;
};
