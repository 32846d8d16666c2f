import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type KeyRing, SystemClock } from '#kernel';
import { readKeyRing } from '#service/config';

/** Makes a folder of keys that has `event.json` alone, with one key that is the same for each name. */
export const writeEventKeys = async (directory: string, name = 'event'): Promise<KeyRing> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const key = { id: name, key: Buffer.alloc(32, name).toString('base64'), notBefore: '2025-01-01T00:00:00Z', development: false };
  await writeFile(join(directory, 'event.json'), JSON.stringify([key]), { mode: 0o600 });
  return readKeyRing(directory, 'event', { clock: new SystemClock() });
};
