import type { EventStoreFiles } from './event-store-files.js';

export interface ReclaimOptions {
  /** EventStoreDB, when it is set; otherwise the SQLite file in `dataDirectory`. */
  readonly esdbUrl?: string;
  readonly esdbAccess?: EventStoreFiles;
  readonly dataDirectory: string;
  /** Of a user of EventStoreDB in `$ops` or `$admins`. */
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly metricsFile?: string;
  /** Milliseconds between two checks of a scavenge. */
  readonly pollEvery: number;
  readonly note: (text: string) => void;
}

export interface Reclaimed {
  readonly node: string;
  readonly details: string;
}
