import { DomainError } from '#kernel';

import type { StreamName } from '../event-store.js';

/**
 * Why an event does not count as an event of this service. `unsigned`: it has no MAC. `key`: no key of the ring has made its MAC. `forged`: the MAC is not
 * that of the event at this place. `chain`: another event came before it, or events are missing. `missing`: an event that this process has stored or read is no longer
 * there, or the stream does not begin with its first event.
 */
export type RefusalReason = 'unsigned' | 'key' | 'forged' | 'chain' | 'missing';

/**
 * The stream holds an event that no service has written, or lacks one that a service has. Nothing is decided or answered from it until an operator has
 * acted. No ServiceUnavailable: it does not pass by waiting, so a consumer parks the message.
 */
export class StreamRefused extends DomainError {
  readonly code = 'service_unavailable';

  constructor(
    readonly stream: StreamName,
    readonly revision: number,
    readonly because: RefusalReason,
  ) {
    super(`${stream} is refused: ${MEANINGS[because]}, revision ${revision}`);
  }
}

const MEANINGS: Readonly<Record<RefusalReason, string>> = {
  unsigned: 'an event has no MAC',
  key: 'no key in event.json has made the MAC of an event',
  forged: 'the MAC of an event is wrong',
  chain: 'an event does not follow the one before it',
  missing: 'an event is missing that the service has stored or read',
};
