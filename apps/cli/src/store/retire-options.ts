import type { KeyFileName, KeySeal } from '#service/config';

import type { EventStoreFiles } from './event-store-files.js';

export interface RetireOptions {
  readonly file: KeyFileName;
  readonly id: string;
  readonly esdbUrl?: string;
  readonly esdbAccess?: EventStoreFiles;
  readonly dataDirectory: string;
  readonly keyDirectory: string;
  /** Default: in clear. */
  readonly seal?: KeySeal | undefined;
  /** Seconds that a session is stored after its end. */
  readonly sessionRetention: number;
}
