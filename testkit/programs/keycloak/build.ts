import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

export const KEYCLOAK_VERSION = '26.0.7';

const UNPACK = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';
const FOLDER = join(TOOLS_CACHE, `keycloak-${KEYCLOAK_VERSION}`);
const programIn = (folder: string): string => join(folder, `keycloak-${KEYCLOAK_VERSION}`, 'bin/kc.sh');

/** Keycloak's start script, built for production with its database in a file. Run it with `sh`. */
export const KEYCLOAK = programIn(FOLDER);

/** Brings Keycloak from Maven Central to the user's cache folder and builds it, once. Needs Java 17 and Maven. Throws when that fails. */
export const buildKeycloak = (): void => {
  if (existsSync(FOLDER)) return;
  const built = join(TOOLS_CACHE, `new-keycloak-${process.pid}`);
  mkdirSync(built, { recursive: true });
  const artifact = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:zip`;
  const run = (program: string, ...args: readonly string[]): unknown =>
    execFileSync(program, args, { cwd: built, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    run('mvn', '-q', '-B', UNPACK, `-Dartifact=${artifact}`, `-DoutputDirectory=${built}`);
    run('sh', programIn(built), 'build', '--db=dev-file');
    // another process may have built it meanwhile
    if (!existsSync(FOLDER)) renameSync(built, FOLDER);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
};
