import type { EventStoreFiles } from './event-store-files.js';

export interface MigrateOptions {
  readonly dataDirectory: string;
  readonly esdbUrl: string;
  readonly esdbAccess?: EventStoreFiles;
}

export interface MigratedStore {
  readonly streams: number;
  readonly events: number;
  readonly tombstones: number;
}
