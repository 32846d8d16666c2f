import type { Pause, Randomness } from '#kernel';

import type { Place } from '../event-store.js';
import type { ConnectionOptions } from './connection.js';

export interface EventStoreDbEventStoreOptions extends Omit<ConnectionOptions, 'pause'> {
  readonly randomness: Randomness;
  /** Called with a line for the log when a subscription was interrupted and is taken up again. */
  readonly report?: (trouble: string) => void;
  /** Called with a line for the log when a subscription has stopped until an operator acts; the line says how. */
  readonly alarm?: (trouble: string) => void;
  /** Called when the store turned out to be restored from an older copy, with the last place that is known to be in the copy. Several subscriptions may call it. */
  readonly restored?: (last: Place | undefined) => void;
  /** Replaced in tests that do not wait. */
  readonly pause?: Pause;
}
