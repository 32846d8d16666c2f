import { decideAndAppend, type EventStore, type LastEvent, readLast, type StreamName } from '#engines/event-store';
import { type Clock, ServiceUnavailable } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { type Heard, TRUST_SERVICE_NOTES, type TrustServiceHeard } from './streams.js';

/** The trust services: the certificate authority, the time-stamping authority, and the service that answers about revocations (OCSP and lists). */
export const TRUST_SERVICES = ['CA', 'TSA', 'OCSP'] as const;
export type TrustServiceName = (typeof TRUST_SERVICES)[number];

export type TrustServiceState = Heard & { readonly service: TrustServiceName };

/** A process stores the same outcome of a service again after this time, in milliseconds; another outcome at once. */
const STORED_EACH = 60_000;

interface HealthParts {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'trustServiceCalls'>;
}

/**
 * Notes when each trust service last succeeded and failed. Several processes ask them, so the notes lie in the event store, where `/admin/v1/health` reads them. They
 * hold no reason and nothing of a request.
 */
export class TrustServiceHealth {
  readonly #stored = new Map<TrustServiceName, { readonly succeeded: boolean; readonly at: number }>();

  constructor(private readonly parts: HealthParts) {}

  /** Calls the service and notes the outcome. A refusal of the request itself, such as a wrong CSR, is no failure of the service. */
  async watch<Result>(service: TrustServiceName, call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call();
      this.#note(service, true);
      return result;
    } catch (error) {
      if (error instanceof ServiceUnavailable) this.#note(service, false);
      throw error;
    }
  }

  /** Throws EventStoreUnavailable. */
  list(): Promise<readonly TrustServiceState[]> {
    return Promise.all(
      TRUST_SERVICES.map(async (service) => {
        const { last } = await readLast<TrustServiceHeard>(this.parts.eventStore, streamOf(service));
        return { service, ...last?.data };
      }),
    );
  }

  /** Not awaited: no enrolment and no signature waits for a note, or fails with it. */
  #note(service: TrustServiceName, succeeded: boolean): void {
    const { clock, log, metrics } = this.parts;
    metrics.trustServiceCalls.inc({ service, outcome: succeeded ? 'done' : 'unavailable' });
    const at = clock.now();
    const stored = this.#stored.get(service);
    if (stored?.succeeded === succeeded && at - stored.at < STORED_EACH) return;
    this.#stored.set(service, { succeeded, at });
    this.#store(service, succeeded ? { lastSuccessAt: at } : { lastFailureAt: at }).catch((error: unknown) => {
      this.#stored.delete(service);
      log.warn('the state of a trust service could not be stored', { component: service, error });
    });
  }

  async #store(service: TrustServiceName, heard: Heard): Promise<void> {
    const { eventStore: store, clock } = this.parts;
    const stream = streamOf(service);
    await decideAndAppend<LastEvent<TrustServiceHeard>, TrustServiceHeard>({ store, clock }, stream, {
      load: async (conflict) => {
        const loaded = await readLast<TrustServiceHeard>(store, stream, conflict);
        if (!loaded.last) await TRUST_SERVICE_NOTES.retain(store, stream);
        return loaded;
      },
      decide: ({ last }) => [{ type: 'TrustServiceHeard', data: { ...last?.data, ...heard } }],
    });
  }
}

const streamOf = (service: TrustServiceName): StreamName => TRUST_SERVICE_NOTES.of(service.toLowerCase());
