import { grantRightsInEventStoreDb, withAccess } from '#engines/event-store';

import { onStore, type StoreOptions } from './on-store.js';

export interface GrantOptions extends Pick<StoreOptions, 'esdbAccess'> {
  readonly esdbUrl: string;
  readonly credentials: { readonly username: string; readonly password: string };
  readonly role: string;
}

/** Throws a Failure. */
export const grantRights = ({ esdbUrl, esdbAccess = {}, credentials, role }: GrantOptions): Promise<void> =>
  onStore(() => grantRightsInEventStoreDb({ connectionString: withAccess(esdbUrl, esdbAccess), credentials, role }));
