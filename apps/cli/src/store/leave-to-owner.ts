import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';

import { giveToOwner } from '#service/config';

/** Gives a file to the owner of the folder where root runs the command. A file that is not there stays away. */
export const leaveToOwner = async (path: string, folder: string): Promise<void> => {
  if (!existsSync(path)) return;
  await using file = await open(path, 'r');
  await giveToOwner(file, await stat(folder));
};
