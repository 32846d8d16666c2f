import { decideAndAppend, type EventStore, type ExpectedRevision, readLast } from '#engines/event-store';
import type { Clock } from '#kernel';

import { AUDIT_STREAM } from '../streams.js';
import type { AuditEvent } from './audit-events.js';

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
  #revision: ExpectedRevision | undefined;
  #running = false;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

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
        await this.#append(batch.map(({ event }) => event));
        for (const { stored } of batch) stored();
      } catch (error) {
        this.#revision = undefined;
        for (const { failed } of batch) failed(error);
      }
    }
    this.#running = false;
  }

  async #append(events: readonly AuditEvent[]): Promise<void> {
    const { store, clock } = this;
    const { revision } = await decideAndAppend<{ readonly revision: ExpectedRevision }, AuditEvent>({ store, clock }, AUDIT_STREAM, {
      load: async (conflict) => ({ revision: conflict?.actual ?? this.#revision ?? (await readLast(store, AUDIT_STREAM)).revision }),
      decide: () => events,
    });
    this.#revision = revision;
  }
}
