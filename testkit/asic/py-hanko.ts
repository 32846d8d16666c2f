import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PYHANKO, PYHANKO_CHECK } from '../programs/pyhanko/build.ts';

/** pyHanko over containers, by their paths and levels, in one process: `PASSED`, or `FAILED` with the reasons. `root`: the path of the trusted root, DER. */
export const askPyHanko = async (
  root: string,
  containers: readonly { readonly path: string; readonly level: string }[],
  directory: string,
): Promise<readonly string[]> => {
  const list = join(directory, 'pyhanko.tsv');
  await writeFile(list, containers.map(({ path, level }) => `${path}\t${level}`).join('\n'));
  const answers = execFileSync(PYHANKO, [PYHANKO_CHECK, root, list], { encoding: 'utf8' }).trim().split('\n');
  if (answers.length !== containers.length) throw new Error('pyHanko did not judge each container');
  return answers;
};
