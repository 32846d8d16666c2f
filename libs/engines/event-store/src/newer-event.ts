import { DomainError, type KnownEvents } from '#kernel';

import type { RecordedEvent } from './event-store.js';

/** Whether this build knows the event's type and version. */
export const isKnown = (knows: KnownEvents | undefined, { type, metadata }: Pick<RecordedEvent, 'type' | 'metadata'>): boolean =>
  !knows || (knows.types.has(type) && (metadata?.v ?? 1) <= knows.version);

/**
 * The stream holds an event that only a newer release knows. It may forbid a decision of this build, so nothing is decided. No
 * ServiceUnavailable: a consumer that waited for it would wait until its own upgrade, so it parks the message.
 */
export class NewerEventStored extends DomainError {
  readonly code = 'service_unavailable';

  constructor({ stream, revision, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>) {
    super(`${stream} holds an event of a newer release: ${type}, revision ${revision}`);
  }
}
