import { withAccess } from '#engines/event-store';
import { countAccounts as count } from '#service/platform';

import { onStore, type StoreOptions } from './on-store.js';

/** The accounts that a rotation of the subject key changes, by client. Throws a Failure. */
export const countAccounts = ({ dataDirectory, esdbUrl, esdbAccess = {} }: StoreOptions): Promise<ReadonlyMap<string, number>> =>
  onStore(() => count({ dataDirectory, ...(esdbUrl !== undefined && { esdbUrl: withAccess(esdbUrl, esdbAccess) }) }));
