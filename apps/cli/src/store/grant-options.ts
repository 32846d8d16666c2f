import type { EventStoreFiles } from './event-store-files.js';

export interface GrantOptions {
  readonly esdbUrl: string;
  readonly esdbAccess?: EventStoreFiles;
  readonly credentials: { readonly username: string; readonly password: string };
  readonly role: string;
}
