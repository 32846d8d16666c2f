import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the work with a new folder and removes the folder afterwards, also when the work fails. */
export const inTemporaryFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'pki-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};
