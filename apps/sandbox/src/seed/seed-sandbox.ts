import type { Platform } from '#service/platform';

import { SEEDED_CLIENT, seedClient, withdrawSeededClient } from './seeded-client.js';

/** The credentials of the client of every sandbox. */
export interface SandboxAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

/**
 * What a sandbox has from the start, before the first request: its client, with these redirect URIs. Undefined, and nothing is seeded, without them, where the sandbox is off, and on a store that
 * other processes may use. Throws {@link InvalidRequest} for a redirect URI that no client may have.
 */
export const seedSandbox = async (
  { settings, useCases }: Pick<Platform, 'settings' | 'useCases'>,
  redirectUris: readonly string[] | undefined,
): Promise<SandboxAccess | undefined> => {
  if (settings.esdbUrl !== undefined) return undefined;
  if (!settings.sandbox) {
    await withdrawSeededClient({ useCases });
    return undefined;
  }
  if (!redirectUris) return undefined;
  await seedClient({ useCases }, redirectUris);
  return { clientId: SEEDED_CLIENT.clientId, clientSecret: SEEDED_CLIENT.clientSecret.reveal(), redirectUris };
};
