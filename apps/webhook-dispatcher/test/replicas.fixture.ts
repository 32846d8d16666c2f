import { type MessageBus } from '#engines/message-bus';
import { useCasesOf } from '#service/platform';
import { type AppendResult, type EventStore, ForwardingEventStore, WrongExpectedRevision } from '#engines/event-store';
import type { JobQueue } from '#engines/job-queue';
import type { EndpointId, SessionId } from '#kernel';
import type { CloudEvent } from '#engines/message-bus';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { type TestPlatform } from '#testkit/platform/test-platform';
import { relyingPartyRepositories, WEBHOOK_EVENT_TYPES } from '#domain/relying-party';
import type { SessionFacts } from '#domain/session';
import { DELIVERY_REQUESTED, type NewDelivery } from '#domain/webhook';

import { PartitionWorkers } from '../src/partition-workers.js';
import { confirmEndpoint } from '#testkit/webhook/confirm-endpoint';
import { Receiver } from './receiver.js';

export const PARTITIONS = 8;

/** The topic of deliveries without a broker: each request goes to the replica that has the endpoint's partition. */
class Topic {
  readonly owners = new Map<number, Replica>();
  /** Calls of the bus, each one request to Kafka or a part of one, and the records in them. */
  sends = 0;
  records = 0;

  partitionOf(subject: string, partitions: number): number {
    return Number.parseInt(subject.slice(0, 8), 16) % partitions;
  }

  async send(_: string, messages: readonly CloudEvent[]): Promise<void> {
    this.sends += 1;
    this.records += messages.length;
    await Promise.all(
      messages.map((message) => this.ownerOf(message.subject).dispatch.takeDeliveryRequest.execute(message as CloudEvent<NewDelivery>)),
    );
  }

  ownerOf(endpointId: string): Replica {
    return this.owners.get(this.partitionOf(endpointId, PARTITIONS))!;
  }
}

/** Counts the appends to delivery logs. */
class CountedAppends extends ForwardingEventStore {
  appends = 0;
  conflicts = 0;

  override async append(...parameters: Parameters<EventStore['append']>): Promise<AppendResult> {
    if (!parameters[0].startsWith('deliverylog-')) return super.append(...parameters);
    this.appends += 1;
    try {
      return await super.append(...parameters);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) this.conflicts += 1;
      throw error;
    }
  }
}

interface Replica {
  readonly dispatch: ReturnType<TestPlatform['useCases']['webhookDispatch']>;
  readonly workers: PartitionWorkers;
  readonly stop: () => Promise<void>;
}

/** The calls of a queue from now on, by method. */
const callsOf = (queue: JobQueue): ReadonlyMap<string, number> => {
  const calls = new Map<string, number>();
  for (const method of ['schedule', 'cancel', 'retry', 'forgetDone', 'failed'] as const) {
    const call = queue[method].bind(queue) as (...parameters: unknown[]) => Promise<never>;
    queue[method] = (...parameters: unknown[]) => (calls.set(method, (calls.get(method) ?? 0) + 1), call(...parameters));
  }
  return calls;
};

export interface ReplicasOptions {
  readonly platform?: Partial<TestPlatform>;
  /** The engines of each dispatcher, by connections of its own. Default: those of the platform. */
  readonly enginesOf?: () => Pick<TestPlatform, 'jobQueue' | 'projections'>;
}

/** Several dispatchers over one store, one queue and one topic, without bus and HTTP, and a receiver on loopback. The clock stands still. */
export const replicasFixture = async ({ platform: overrides, enginesOf }: ReplicasOptions = {}) => {
  const { platform, client } = await sessionFixture(overrides);
  const { jobQueue, clock, randomness } = platform;
  const queueCalls = callsOf(jobQueue);
  const receiver = await Receiver.open();
  const topic = new Topic();
  const store = new CountedAppends(platform.eventStore);
  /** Reads of the tables of deliveries. */
  let reads = 0;
  const projections = new Proxy(platform.projections, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'follow') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return (...parameters: Parameters<typeof target.follow>) => {
        const model = target.follow(...parameters);
        return new Proxy(model, {
          get: (inner, of) => {
            const member: unknown = Reflect.get(inner, of);
            if (of === 'read') reads += 1;
            return typeof member === 'function' ? (member.bind(inner) as unknown) : member;
          },
        });
      };
    },
  });
  const replicas: Replica[] = [];
  /** Adds endpoints without the requests of their proofs, which are none of the deliveries that are counted. */
  const quiet = useCasesOf({ ...platform, messageBus: { send: async () => undefined, partitionOf: () => 0 } as unknown as MessageBus }).webhooks();
  const administration = useCasesOf({ ...platform, messageBus: topic as unknown as MessageBus }).webhooks();

  const event = (): CloudEvent<SessionFacts> => {
    const sessionId = randomness.uuid<SessionId>();
    const at = clock.now();
    const data: SessionFacts = { sessionId, clientId: client.clientId, signatureType: 'AUTHENTICATION', status: 'CANCELLED', at };
    const time = new Date(at).toISOString();
    return {
      specversion: '1.0',
      id: randomness.uuid(),
      source: '/sessions',
      type: 'session.cancelled',
      subject: sessionId,
      time,
      esrevision: 1,
      data,
    };
  };

  const assign = (shares: readonly (readonly number[])[]): void => {
    topic.owners.clear();
    replicas.forEach((replica, index) => {
      const owned = shares[index] ?? [];
      for (const partition of owned) topic.owners.set(partition, replica);
      replica.dispatch.assigned({ partitions: PARTITIONS, owned });
      replica.workers.assigned({ partitions: PARTITIONS, owned });
    });
  };

  return {
    administration,
    clientId: client.clientId,
    clock,
    event,
    jobQueue,
    queueCalls,
    receiver,
    replicas,
    store,
    topic,
    assign,
    get reads() {
      return reads;
    },
    start: (count: number): void => {
      for (let started = 0; started < count; started += 1) {
        const stopping = new AbortController();
        const parts = { ...platform, eventStore: store, projections, messageBus: topic as unknown as MessageBus, ...enginesOf?.() };
        const dispatch = useCasesOf(parts).webhookDispatch();
        const workers = new PartitionWorkers({ jobQueue: parts.jobQueue, dispatch, stopping: stopping.signal });
        const stop = async (): Promise<void> => {
          stopping.abort();
          await workers.done();
        };
        replicas.push({ dispatch, workers, stop });
      }
    },
    /** Partition by partition in turns, as a consumer group shares a topic. */
    share: (): void =>
      assign(
        replicas.map((_, index) =>
          Array.from({ length: PARTITIONS }, (_value, partition) => partition).filter((partition) => partition % replicas.length === index),
        ),
      ),
    /** A request for a new delivery. */
    request: (endpointId: EndpointId): CloudEvent<NewDelivery> => {
      const { id, data } = event();
      const message = { type: 'session.cancelled', happenedAt: data.at, data: { sessionId: data.sessionId, sequence: 1 } };
      return {
        ...event(),
        id,
        type: DELIVERY_REQUESTED,
        subject: endpointId,
        data: { clientId: client.clientId, endpointId, deliveryId: id, message },
      };
    },
    endpoint: async (): Promise<EndpointId> => {
      const terms = { url: receiver.url, eventTypes: WEBHOOK_EVENT_TYPES, disabledBecause: null };
      const { clientId } = client;
      const { endpointId } = (await quiet.addWebhookEndpoint.execute(clientId, terms)).endpoint;
      await confirmEndpoint(relyingPartyRepositories(platform, 0).webhookEndpoints, { clientId, endpointId, at: platform.clock.now() });
      return endpointId;
    },
    close: async (): Promise<void> => {
      platform.stop();
      await receiver.close();
      await Promise.all(replicas.map((replica) => replica.stop()));
      await platform.close();
    },
  };
};
