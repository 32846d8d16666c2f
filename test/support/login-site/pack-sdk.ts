import { join, resolve } from 'node:path';

import { runIn } from './run-in.js';

const SDK = resolve(import.meta.dirname, '../../../libs/clients/relying-party');

/** The SDK as a tarball in the folder: its path. The packing compiles it, also when the tests run without the scripts before them. */
export const packSdk = (folder: string): string => join(folder, runIn(folder)('npm', 'pack', SDK, '--silent', '--ignore-scripts=false').trim());
