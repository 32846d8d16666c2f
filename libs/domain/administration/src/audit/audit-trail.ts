import { decideOnLast, lastEventOf, type LastEventType, type UnitOfWork } from '#engines/event-store';
import { sha256Base64url } from '#kernel';

import { AUDIT_STREAM, AUDIT_TRAIL } from '../streams.js';
import type { AuditEvent } from './audit-events.js';

/** The text of the data, which its hash in the leaf of the history is of. The id of the change, which is in each, keeps others from guessing it. */
export const auditDataText = (data: AuditEvent['data']): string => JSON.stringify(data);

const AUDIT: LastEventType<AuditEvent> = {
  ...lastEventOf<AuditEvent>(AUDIT_TRAIL),
  metadataOf: (last) => ({ v: 1, ...(last && { dataHash: sha256Base64url(auditDataText(last.data)) }) }),
};

/** The most events of one append. */
const BATCH = 200;

interface Waiting {
  readonly event: AuditEvent;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/** Appends to the audit trail, one stream under the MACs of the event store. What arrives during an append goes into the next one together. */
export class AuditTrail {
  readonly #waiting: Waiting[] = [];
  #running = false;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Resolves when the event is on disk. Throws the errors of the store. */
  record(event: AuditEvent): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ event, stored: resolve, failed: reject });
    void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        const events = batch.map(({ event }) => event);
        // Of several requests, and also of one that was refused since its sender had lost the right.
        await this.unitOfWork.under(undefined, () => decideOnLast(this.unitOfWork, { type: AUDIT, stream: AUDIT_STREAM }, () => events));
        for (const { stored } of batch) stored();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#running = false;
  }
}
