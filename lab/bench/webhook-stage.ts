import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SqliteEventStore, StoreHistory, UnitOfWork } from '#engines/event-store';
import { runAgain, type JobQueue } from '#engines/job-queue';
import { type Clock, type RingKey, Sealer, Secret, type SessionId, SystemClock, SystemRandomness } from '#kernel';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import type { CloudEvent } from '#engines/message-bus';
import { confirmEndpoint } from '#testkit/webhook/confirm-endpoint';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import { relyingPartyRepositories, relyingPartyUseCases, WEBHOOK_EVENT_TYPES } from '#domain/relying-party';
import { type SessionFacts, SessionPublication } from '#domain/session';
import { type Log, Metrics, SilentLog } from '#telemetry';
import {
  type AttemptPayload,
  deliveryRepositories,
  DeliveryRequests,
  GuardedPost,
  ReachableNetworks,
  type DispatchParts,
  type NewDelivery,
  RetryLater,
  WEBHOOK_QUEUE,
  webhookAdministration,
  webhookDispatch,
} from '#domain/webhook';

/** Nothing is recovered here. */
const NO_SESSIONS = { async *execute(): AsyncGenerator<SessionId> {} };

/** As the dispatcher has it. */
const CONCURRENCY = 1_000;

export interface QueueParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Where files may lie. */
  readonly directory: string;
}

/** The dispatcher's own work over a store on this disk, without bus and HTTP, and receivers in the same process, which take their share of it. */
export class WebhookStage {
  readonly #clock = new SystemClock();
  readonly #randomness = new SystemRandomness();
  readonly #stopping = new AbortController();
  readonly #servers: Server[] = [];
  /** Called when the message about a session arrives. */
  readonly #arrivals = new Map<string, () => void>();

  private constructor(
    private readonly directory: string,
    private readonly parts: DispatchParts & Parameters<typeof relyingPartyUseCases>[0],
    private readonly dispatch: ReturnType<typeof webhookDispatch>,
  ) {}

  static async open(openQueue: (parts: QueueParts) => JobQueue | Promise<JobQueue>): Promise<WebhookStage> {
    const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
    const [clock, randomness, log, metrics] = [new SystemClock(), new SystemRandomness(), new SilentLog(), new Metrics()];
    const key: RingKey = { id: 'bench', key: new Secret(randomness.bytes(32)) };
    const eventStore = new SqliteEventStore({ path: join(directory, 'events.db'), clock });
    const messageBus = {
      partitionOf: () => 0,
      send: async (_: string, messages: readonly CloudEvent[]): Promise<void> =>
        void (await Promise.all(messages.map((message) => dispatch.takeDeliveryRequest.execute(message as CloudEvent<NewDelivery>)))),
    };
    const given = {
      eventStore,
      storeHistory: new StoreHistory({ store: eventStore, clock }),
      unitOfWork: new UnitOfWork(eventStore, clock),
      projections: projectionsInMemory(eventStore),
      messageBus,
      jobQueue: await openQueue({ clock, log, metrics, directory }),
      clock,
      randomness,
      keys: { index: key },
      sealer: new Sealer(new StaticKeyRing([key]), randomness),
      settings: { environment: 'bench' },
      networks: new ReachableNetworks(['127.0.0.0/8']),
      publication: new SessionPublication(eventStore),
    };
    const relyingPartyParts = { ...given, relyingPartyRepositories: relyingPartyRepositories(given, 0) };
    const webhooks = { ...given, endpoints: relyingPartyParts.relyingPartyRepositories.webhookEndpoints };
    const post = new GuardedPost({ networks: given.networks });
    const parts = {
      ...relyingPartyParts,
      ...webhooks,
      ...deliveryRepositories(webhooks),
      requests: new DeliveryRequests(messageBus),
      post,
      notices: { isAwaited: async () => false, requestOf: async () => undefined },
    };
    const dispatch = webhookDispatch(parts, {
      begun: () => undefined,
      attempted: () => undefined,
      ended: () => undefined,
      disabled: () => undefined,
      proved: () => undefined,
    });
    dispatch.assigned({ partitions: 1, owned: [0] });
    const stage = new WebhookStage(directory, parts, dispatch);
    stage.#process();
    return stage;
  }

  /** A new client with an endpoint whose receiver answers 204, or never. Answers the client's id. */
  async client(answer: 'well' | 'never'): Promise<string> {
    const url = await this.#listen(answer === 'well' ? this.#take : () => undefined);
    const { registerClient } = relyingPartyUseCases(this.parts);
    const name = `Client ${this.#randomness.uuid()}`;
    const { clientId } = await registerClient.execute({ name, redirectUris: [], allowedAttributes: [], allowedPredicates: [], dynamicQr: false });
    const parts = { ...this.parts, sessions: NO_SESSIONS };
    const terms = { url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null };
    const { endpointId } = (await webhookAdministration(parts).addWebhookEndpoint.execute(clientId, terms)).endpoint;
    await confirmEndpoint(this.parts.endpoints, { clientId, endpointId, at: this.parts.clock.now() });
    return clientId;
  }

  /** A session of the client ends. Resolves when the message is on its way, on disk. */
  async happens(clientId: string): Promise<void> {
    await this.dispatch.fanOut.execute(this.#event(clientId));
  }

  /** The same; resolves when the message has arrived, with the milliseconds that it took. */
  async delivered(clientId: string): Promise<number> {
    const event = this.#event(clientId);
    const began = performance.now();
    const arrived = new Promise<void>((resolve) => this.#arrivals.set(event.subject, resolve));
    await this.dispatch.fanOut.execute(event);
    await arrived;
    this.#arrivals.delete(event.subject);
    return performance.now() - began;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    await this.parts.jobQueue.close();
    this.parts.post.close();
    await this.parts.projections.close();
    await this.parts.eventStore.close();
    await rm(this.directory, { recursive: true });
  }

  #process(): void {
    this.parts.jobQueue.process<AttemptPayload>(WEBHOOK_QUEUE, {
      concurrency: CONCURRENCY,
      signal: this.#stopping.signal,
      handler: async ({ payload }, { signal }) => {
        const answer = await this.dispatch.attemptDelivery.execute(payload, signal);
        return answer instanceof RetryLater ? runAgain(answer.at) : undefined;
      },
    });
  }

  readonly #take: RequestListener = (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      this.#arrivals.get((JSON.parse(text) as { data: { sessionId: string } }).data.sessionId)?.();
    });
  };

  async #listen(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  #event(clientId: string): CloudEvent<SessionFacts> {
    const sessionId = this.#randomness.uuid<SessionId>();
    const at = this.#clock.now();
    const data: SessionFacts = { sessionId, clientId, signatureType: 'AUTHENTICATION', status: 'CANCELLED', at };
    return {
      specversion: '1.0',
      id: this.#randomness.uuid(),
      source: '/sessions',
      type: 'session.cancelled',
      subject: sessionId,
      time: new Date(at).toISOString(),
      esrevision: 2,
      data,
    };
  }
}
