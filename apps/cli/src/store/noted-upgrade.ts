import type { EventStoreFiles } from './event-store-files.js';

export interface UpgradeOptions {
  readonly esdbUrl?: string;
  readonly esdbAccess?: EventStoreFiles;
  readonly dataDirectory: string;
  readonly keyDirectory: string;
}

export interface NotedUpgrade {
  readonly file: string;
  /** A position of the store. */
  readonly until: string;
}
