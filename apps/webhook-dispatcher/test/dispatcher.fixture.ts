import { type JobQueue, SqliteJobQueue } from '#job-queue';
import type { EndpointId, SessionId } from '#kernel';
import type { Platform } from '#platform';
import { WEBHOOK_EVENT_TYPES, type WebhookTerms } from '#relying-party';
import { sessionWorld } from '#session/testing';
import { AddWebhookEndpoint, type DeliveryRecord, ListDeliveries, webhookAdministration } from '#webhook';

import { createWebhookDispatcherApp } from '../src/app.js';
import { Receiver } from './receiver.js';

export interface Endpoint {
  readonly endpointId: EndpointId;
  readonly secret: string;
}

type Class<T> = abstract new (...parts: never[]) => T;

/** The dispatcher over a real store and queue, with a clock that stands still until it is moved, and receivers on loopback. */
export const dispatcherFixture = async () => {
  const world = await sessionWorld();
  const { platform, client } = world;
  const { clock, randomness } = platform;
  const administration = webhookAdministration(platform);
  const useCase = <T extends object>(type: Class<T>): T => administration.find((each): each is T & (typeof administration)[number] => each instanceof type) as T;
  const receivers: Receiver[] = [];
  let process = await startProcess(platform, platform.jobQueue);

  const deliveries = async (endpointId: EndpointId): Promise<readonly DeliveryRecord[]> =>
    (await useCase(ListDeliveries).execute(client.clientId, endpointId, { limit: 100 })).entries.toReversed();

  return {
    world,
    platform,
    clock,
    useCase,
    deliveries,
    receiver: async (): Promise<Receiver> => {
      const receiver = await Receiver.open();
      receivers.push(receiver);
      return receiver;
    },
    endpoint: async (url: string, terms: Partial<WebhookTerms> = {}): Promise<Endpoint> => {
      const { endpoint, secret } = await useCase(AddWebhookEndpoint).execute(client.clientId, { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null, ...terms });
      return { endpointId: endpoint.endpointId, secret: secret.reveal() };
    },
    session: async (signatureType: 'AUTHENTICATION' | 'SIGNING' = 'AUTHENTICATION'): Promise<SessionId> => {
      const sessionId = randomness.uuid<SessionId>();
      const at = clock.now();
      const sealed = world.seal(sessionId, {});
      await world.happens(sessionId, { type: 'SessionCreated', data: { clientId: client.clientId, signatureType, pushStatus: 'NOT_REQUESTED', sealed, at, expiresAt: at + 120_000 } });
      return sessionId;
    },
    /** The states of the deliveries to an endpoint, in the order in which they were added, once they are these. */
    settled: async (endpointId: EndpointId, wanted: readonly string[]): Promise<readonly DeliveryRecord[]> => {
      let found = await deliveries(endpointId);
      await until(async () => {
        found = await deliveries(endpointId);
        return JSON.stringify(found.map(({ state }) => state)) === JSON.stringify(wanted);
      }, () => JSON.stringify(found.map(({ message, state, attempts }) => ({ type: message.type, state, attempts }))));
      return found;
    },
    /** Another process takes over, with nothing in memory. It finds the queue it is given, or an empty one: what Redis is after a FLUSHALL. */
    restart: async (jobQueue: JobQueue = new SqliteJobQueue({ path: ':memory:', clock, log: platform.log, metrics: platform.metrics })): Promise<void> => {
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

const startProcess = async (platform: Platform, jobQueue: JobQueue) => {
  const stopping = new AbortController();
  const app = await createWebhookDispatcherApp({ ...platform, jobQueue, stopping: stopping.signal });
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await app.close();
      if (jobQueue !== platform.jobQueue) await jobQueue.close();
    },
  };
};

const PATIENCE = 8_000;

/** Resolves when the condition holds. Only a broken test waits to the end. */
export const until = async (condition: () => boolean | Promise<boolean>, found: () => string = () => ''): Promise<void> => {
  const giveUpAt = performance.now() + PATIENCE;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error(`it never came to that: ${found()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
