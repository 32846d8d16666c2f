import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SqliteEventStore } from '#event-store';
import { again, SqliteJobQueue } from '#job-queue';
import { type RingKey, Secret, type SessionId, StaticKeyRing, SystemClock, SystemRandomness } from '#kernel';
import type { CloudEvent } from '#message-bus';
import { relyingPartyUseCases, WEBHOOK_EVENT_TYPES } from '#relying-party';
import type { SessionFacts } from '#session';
import { Metrics, SilentLog } from '#telemetry';
import { AddWebhookEndpoint, type AttemptPayload, NotNow, WEBHOOK_QUEUE, webhookAdministration, webhookDispatch } from '#webhook';

/**
 * Signed webhooks in the embedded profile: `node dist/bench/webhooks.bench.js`. From the event's arrival to the receiver, which runs in
 * the same process and takes its share; log and queue are on this disk.
 */
const SECONDS = 5;
const ENDPOINTS = 10;
const AT_ONCE = 64;
const CONCURRENCY = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'webhooks-bench-'));
const clock = new SystemClock();
const randomness = new SystemRandomness();
const log = new SilentLog();
const metrics = new Metrics();
const key: RingKey = { id: 'bench', key: new Secret(randomness.bytes(32)) };
const eventStore = new SqliteEventStore({ path: join(folder, 'events.db'), clock });
const jobQueue = new SqliteJobQueue({ path: join(folder, 'jobs.db'), clock, log, metrics });
const parts = {
  eventStore,
  jobQueue,
  clock,
  randomness,
  keys: { data: new StaticKeyRing([key]), subject: key },
  settings: { webhookAllowedNetworks: ['127.0.0.0/8'] },
};

/** What to do when the message about a session arrives. */
const arrivals = new Map<string, () => void>();
const receiver = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    response.writeHead(204).end();
    arrivals.get((JSON.parse(text) as { data: { sessionId: string } }).data.sessionId)?.();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

const { registerClient } = relyingPartyUseCases({ ...parts, settings: {} });
const addEndpoint = webhookAdministration(parts).find((each) => each instanceof AddWebhookEndpoint);
const clients = await Promise.all(
  Array.from({ length: ENDPOINTS }, async (_, index) => {
    const { clientId } = await registerClient.execute({ name: `Client ${index}`, redirectUris: [], allowedAttributes: [], allowedPredicates: [], dynamicQr: false });
    await addEndpoint?.execute(clientId, { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null });
    return clientId;
  }),
);
const stopping = new AbortController();
const { fanOut, attemptDelivery, close } = webhookDispatch(parts, { attempted: () => undefined, ended: () => undefined, disabled: () => undefined });
const processing = jobQueue.process<AttemptPayload>(WEBHOOK_QUEUE, {
  concurrency: CONCURRENCY,
  signal: stopping.signal,
  handler: async ({ payload }, { signal }) => {
    const answer = await attemptDelivery.execute(payload, signal);
    return answer instanceof NotNow ? again(answer.at) : undefined;
  },
});

const happens = (index: number): CloudEvent<SessionFacts> => {
  const sessionId = randomness.uuid<SessionId>();
  const at = clock.now();
  const data: SessionFacts = { sessionId, clientId: clients[index % ENDPOINTS] ?? '', signatureType: 'AUTHENTICATION', status: 'CANCELLED', at };
  return { specversion: '1.0', id: randomness.uuid(), source: '/sessions', type: 'session.cancelled', subject: sessionId, time: new Date(at).toISOString(), esrevision: 2, data };
};

const measure = async (name: string, atOnce: number): Promise<void> => {
  const delays: number[] = [];
  const begun = performance.now();
  const end = begun + SECONDS * 1_000;
  const caller = async (_: unknown, index: number): Promise<void> => {
    while (performance.now() < end) {
      const event = happens(index);
      const started = performance.now();
      const arrived = new Promise<void>((resolve) => arrivals.set(event.subject, resolve));
      await fanOut.execute(event);
      await arrived;
      arrivals.delete(event.subject);
      delays.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  const seconds = (performance.now() - begun) / 1_000;
  delays.sort((a, b) => a - b);
  const quantile = (part: number): string => (delays[Math.floor(delays.length * part)] ?? 0).toFixed(1);
  console.log(`${name.padEnd(28)}${Math.round(delays.length / seconds)}/s  p50 ${quantile(0.5)} ms  p99 ${quantile(0.99)} ms`);
};

await measure('warm-up', AT_ONCE);
await measure('one at a time', 1);
await measure(`${AT_ONCE} at a time`, AT_ONCE);

stopping.abort();
await processing.done;
close();
receiver.closeAllConnections();
receiver.close();
await jobQueue.close();
await eventStore.close();
rmSync(folder, { recursive: true });
