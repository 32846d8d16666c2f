import type { Command } from 'commander';

import { AdminApi } from './admin-api.js';
import { findAdminToken } from './admin-token.js';
import { requireSafeAddress } from './require-safe-address.js';
import { readSettings } from './settings.js';
import { type Terminal, terminalOf } from './terminal.js';

export interface Context {
  readonly api: AdminApi;
  readonly terminal: Terminal;
}

/** The service that the environment names, for a command. */
export const contextOf = async (command: Command): Promise<Context> => {
  const settings = readSettings();
  requireSafeAddress(settings.baseUrl);
  return { api: new AdminApi(settings.baseUrl, await findAdminToken(settings)), terminal: terminalOf(command) };
};
