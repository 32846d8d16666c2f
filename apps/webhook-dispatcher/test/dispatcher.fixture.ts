import { type TestPlatform, withParts } from '#testkit/platform/test-platform';
import { type JobQueue, SqliteJobQueue } from '#engines/job-queue';
import type { EndpointId, SessionId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { relyingPartyRepositories, WEBHOOK_EVENT_TYPES, type WebhookTerms } from '#domain/relying-party';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { confirmEndpoint } from '#testkit/webhook/confirm-endpoint';
import { type DeliveryEvent, deliveryLogStream, type DeliveryRecord } from '#domain/webhook';

import { createWebhookDispatcherApp } from '../src/app.js';
import { Receiver } from './receiver.js';

export interface Endpoint {
  readonly endpointId: EndpointId;
  readonly secret: string;
}

/** The dispatcher over a real store and queue, with a clock that only the test moves, and receivers on loopback. */
export const dispatcherFixture = async () => {
  const sessions = await sessionFixture();
  const { platform, client } = sessions;
  const { clock, randomness } = platform;
  const administration = platform.useCases.webhooks();
  const receivers: Receiver[] = [];
  let process = await startProcess(platform, platform.jobQueue);

  /** Without the proofs. */
  const deliveries = async (endpointId: EndpointId): Promise<readonly DeliveryRecord[]> =>
    (await administration.listDeliveries.execute(client.clientId, endpointId, { limit: 100 })).entries
      .filter(({ message }) => !message.proof)
      .toReversed();
  /** What the service has recorded of the deliveries to an endpoint, also to one that was removed. */
  const log = (endpointId: EndpointId) => platform.eventStore.read<DeliveryEvent>(deliveryLogStream(endpointId), { limit: 1_000 });
  /** The proofs of an endpoint in the order of their requests, also those that were not tried, which no list shows. */
  const proofs = async (endpointId: EndpointId): Promise<readonly { readonly state: string; readonly nextAt: number | undefined }[]> => {
    const found = new Map<string, { readonly state: string; readonly nextAt: number | undefined }>();
    for (const { type, data } of await log(endpointId)) {
      if (type === 'DeliveryAdded' && data.message.proof) found.set(data.deliveryId, { state: 'pending', nextAt: undefined });
      if (!found.has(data.deliveryId)) continue;
      if (type === 'DeliveryAttempted') found.set(data.deliveryId, { state: data.end ?? 'pending', nextAt: data.nextAt });
      if (type === 'DeliveryEnded') found.set(data.deliveryId, { state: data.end, nextAt: undefined });
    }
    return [...found.values()];
  };
  const add = async (url: string, terms: Partial<WebhookTerms> = {}): Promise<Endpoint> => {
    const { endpoint, secret } = await administration.addWebhookEndpoint.execute(client.clientId, {
      url,
      eventTypes: WEBHOOK_EVENT_TYPES,
      disabledBecause: null,
      ...terms,
    });
    return { endpointId: endpoint.endpointId, secret: secret.reveal() };
  };

  return {
    sessions,
    platform,
    clock,
    administration,
    deliveries,
    receiver: async (): Promise<Receiver> => {
      const receiver = await Receiver.open();
      receivers.push(receiver);
      return receiver;
    },
    log,
    proofs,
    unconfirmedEndpoint: add,
    /** A confirmed one. */
    endpoint: async (url: string, terms: Partial<WebhookTerms> = {}): Promise<Endpoint> => {
      const endpoint = await add(url, terms);
      const { endpointId } = endpoint;
      await confirmEndpoint(relyingPartyRepositories(platform, 0).webhookEndpoints, { clientId: client.clientId, endpointId, at: clock.now() });
      return endpoint;
    },
    session: async (signatureType: 'AUTHENTICATION' | 'SIGNING' = 'AUTHENTICATION'): Promise<SessionId> => {
      const sessionId = randomness.uuid<SessionId>();
      const at = clock.now();
      const sealed = sessions.seal(sessionId, {});
      await sessions.append(sessionId, {
        type: 'SessionCreated',
        data: { clientId: client.clientId, signatureType, pushStatus: 'NOT_REQUESTED', sealed, at, expiresAt: at + 120_000 },
      });
      return sessionId;
    },
    /** Resolves when the deliveries to an endpoint have these states, in the order of their addition; answers the deliveries. */
    settled: async (endpointId: EndpointId, wanted: readonly string[]): Promise<readonly DeliveryRecord[]> => {
      let found = await deliveries(endpointId);
      await eventually(
        async () => {
          found = await deliveries(endpointId);
          return JSON.stringify(found.map(({ state }) => state)) === JSON.stringify(wanted);
        },
        { what: () => JSON.stringify(found.map(({ message, state, attempts }) => ({ type: message.type, state, attempts }))) },
      );
      return found;
    },
    /** Stops the process and starts another one, with the given queue or with an empty one, as Redis is after a FLUSHALL. */
    restart: async (
      jobQueue: JobQueue = new SqliteJobQueue({ path: ':memory:', clock, log: platform.log, metrics: platform.metrics }),
    ): Promise<void> => {
      await process.stop();
      process = await startProcess(platform, jobQueue);
    },
    close: async (): Promise<void> => {
      platform.stop();
      await process.stop();
      await platform.close();
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
};

const startProcess = async (platform: TestPlatform, jobQueue: JobQueue) => {
  const stopping = new AbortController();
  const app = await createWebhookDispatcherApp(withParts(platform, { jobQueue, stopping: stopping.signal }));
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await app.close();
      if (jobQueue !== platform.jobQueue) await jobQueue.close();
    },
  };
};
