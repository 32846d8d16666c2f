import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

const POM = join(import.meta.dirname, 'pom.xml');
const SOURCES = globSync(join(import.meta.dirname, 'src/**/*.java')).sort();

/** A name that changes with the sources. */
const FINGERPRINT = [POM, ...SOURCES]
  .reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);
const FOLDER = join(TOOLS_CACHE, `cmp-ra-${FINGERPRINT}`);

/** The class path of the registration authority. */
export const CMP_RA_CLASS_PATH = `${join(FOLDER, 'cmp-ra.jar')}:${join(FOLDER, 'dependency')}/*`;

/** Whether it has been built from these sources. */
export const hasCmpRa = (): boolean => existsSync(FOLDER);

/**
 * Builds the registration authority once into the user's cache folder, with Siemens' component from Maven Central. Needs Java 17 and Maven. Throws when it
 * cannot be built.
 */
export const buildCmpRa = (): void => {
  if (hasCmpRa()) return;
  const built = join(TOOLS_CACHE, `new-cmp-ra-${process.pid}`);
  mkdirSync(built, { recursive: true });
  try {
    execFileSync('mvn', ['-q', '-B', '-f', POM, `-Dout=${built}`, 'package'], { stdio: ['ignore', 'ignore', 'inherit'] });
    // another process may have built it meanwhile
    if (!hasCmpRa()) renameSync(built, FOLDER);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
};
