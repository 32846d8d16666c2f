import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { SandboxError } from './sandbox-error.js';

const PACKAGE = '@countersign/sandbox';

/** The file of the program in the package to which the file `from` belongs, by default this one. Throws a {@link SandboxError}. */
export const programFile = (from = fileURLToPath(import.meta.url)): string => {
  const folder = dirname(from);
  if (folder === from) throw new SandboxError(`the program of ${PACKAGE} is missing: install the package again`);
  const description = join(folder, 'package.json');
  const { name, bin } = existsSync(description)
    ? (JSON.parse(readFileSync(description, 'utf8')) as { name?: string; bin?: Record<string, string> })
    : {};
  const file = name === PACKAGE ? bin?.['countersign-sandbox'] : undefined;
  return file === undefined ? programFile(folder) : join(folder, file);
};
