import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { builtPage } from '#web-page';

/** The list of the documentation's files, or undefined where the build has none: the package of the sandbox leaves the documentation out. */
export const builtGuide = (): string | undefined => {
  const list = join(builtPage('guide'), 'files.json');
  return existsSync(list) ? list : undefined;
};
