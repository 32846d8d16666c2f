import { join } from 'node:path';

import { type Clock, type KeyRing } from '#kernel';

import { FileKeyRing } from './file-key-ring.js';
import type { RingName } from './key-file-names.js';
import { contentOf, KeyChangeRefused } from './key-files.js';
import { parseKeyFile } from './key-file.js';
import type { KeySeal } from './key-seal.js';

/** The keys of one file of `directory` as they are now, for a command. Makes none. Throws {@link KeyChangeRefused} where there is no such file, or it is none of keys. */
export const readKeyRing = async (
  directory: string,
  name: RingName,
  { clock, seal }: { readonly clock: Clock; readonly seal?: KeySeal | undefined },
): Promise<KeyRing> => {
  const content = await contentOf(directory, name, seal);
  const path = join(directory, `${name}.json`);
  if (content === undefined)
    throw new KeyChangeRefused(`there is no ${path}: set KEY_DIR, or bring the file there from the copy that you keep apart`);
  try {
    return new FileKeyRing(parseKeyFile(name, content), clock, async () => undefined);
  } catch (error) {
    throw new KeyChangeRefused(`${path} is not a valid key file: ${(error as Error).message}`);
  }
};
