import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { NotAuthorized } from './failures.js';
import type { CliSettings } from './settings.js';

/** From the environment, or from the data directory of a service on this machine. Never from the command line, which other users can read. */
export const findAdminToken = async ({ adminToken, dataDirectory }: CliSettings): Promise<string> => {
  if (adminToken !== undefined) return adminToken;
  const path = join(dataDirectory, 'admin-token');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    throw new NotAuthorized(`no admin token: set ADMIN_TOKEN, or DATA_DIR to where the service keeps its data (looked at ${path})`);
  }
};
