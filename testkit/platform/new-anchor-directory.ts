import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In the memory of the machine, and on its disk. */
const FOLDERS = ['/dev/shm', '/var/tmp'];

/** A folder for checkpoints as a guarded service wants it: on another disk than the files of a test. To be removed by the caller. */
export const newAnchorDirectory = async (): Promise<string> => {
  const { dev } = await stat(tmpdir());
  for (const folder of FOLDERS) if ((await stat(folder)).dev !== dev) return mkdtemp(join(folder, 'countersign-anchor-'));
  throw new Error(`neither ${FOLDERS.join(' nor ')} is on another disk than ${tmpdir()}`);
};
