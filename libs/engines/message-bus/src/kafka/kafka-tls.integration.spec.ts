import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { CapturedLog } from '#testkit/engine-access/captured-log';
import { TestCa } from '#testkit/engine-access/test-ca';
import { type ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { SqliteEventStore } from '#engines/event-store';
import { Metrics } from '#telemetry';

import { Kafka, logLevel } from 'kafkajs';

import { grantRights } from '../../../../../testkit/programs/kafka/grant-rights.ts';
import { aclEntries } from '#testkit/message-bus/acl-entries';
import { RECORD_MACS } from '#testkit/message-bus/record-macs';
import { SecuredKafka } from '#testkit/message-bus/secured-kafka';
import { kafkaBrokers } from '#testkit/message-bus/settings';
import { order, thingChannel } from '#testkit/message-bus/thing-channel';
import { appendThing, ThingPublication } from '#testkit/message-bus/thing-publication';
import type { KafkaSettings } from './kafka-client.js';
import { KafkaCompactedTopic } from './kafka-compacted-topic.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { KafkaPublisher } from './kafka-publisher.js';

type Access = Pick<KafkaSettings, 'brokers' | 'access'>;

/** Milliseconds. A consumer that stops waits for its fetch. */
const FETCH_WAIT = 500;

(kafkaBrokers().length === 0 ? describe.skip : describe)('Kafka over TLS', () => {
  const randomness = new SystemRandomness();
  const clock = new SystemClock();
  const store = new SqliteEventStore({ path: ':memory:', clock });
  let kafka: SecuredKafka;
  let log: CapturedLog;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    kafka = await SecuredKafka.start();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(async () => {
    await store.close();
    await kafka[Symbol.asyncDispose]();
  });

  const publisher = (access: Access): KafkaPublisher => {
    log = new CapturedLog();
    const opened = new KafkaPublisher({ ...access, clientId: 'test', macs: RECORD_MACS }, log, randomness);
    closing.push(() => opened.close());
    return opened;
  };
  const newTopic = (): string => `test.${randomness.bytes(6).toString('hex')}`;

  /** Publishes with one client and consumes with another. */
  const carries = async (access: Access): Promise<void> => {
    const topic = newTopic();
    const publication = new ThingPublication(store, topic);
    const publishing = publisher(access);
    await publishing.prepare(topic, 'create');
    const stop = new AbortController();
    const seen: string[] = [];
    const parts = { ...access, clientId: 'test', macs: RECORD_MACS, publications: [publication], clock, randomness, log, metrics: new Metrics() };
    const bus = new KafkaMessageBus({ ...parts, fetchWait: FETCH_WAIT });
    const handler = async ({ subject }: { readonly subject: string }): Promise<void> => void seen.push(subject);
    bus.consume({ topic, group: 'group', types: [...publication.types], handler, signal: stop.signal });
    closing.push(async () => {
      stop.abort();
      await bus.close();
    });
    const events = await appendThing(store, topic, 'thing', 'Made');
    await publishing.publish(topic, await Promise.all(events.map((event) => publication.message(event))));
    await eventually(async () => seen.length > 0, { what: 'the message arrives', within: 30_000 });
  };

  const refusal = async (access: Access): Promise<string> => {
    const { reason } = await publisher(access)
      .reach('any')
      .then(
        () => ({ reason: 'it works' }),
        (error: ServiceUnavailable) => error,
      );
    expect(log.text).not.toMatch(/secret/);
    return reason;
  };

  // The suites of the bus connect by SCRAM-SHA-512, the suite of the erasure list by certificate.
  it('carries messages of a user with a password by SASL PLAIN', async () => {
    await carries(kafka.as('service', 'plain'));
  });

  it('is reached with the password that the file holds when a connection is made', async () => {
    const passwordFile = await kafka.ca.write('changing', 'old-secret');
    const { brokers, access } = kafka.as('service');
    const changing = publisher({ brokers, access: { ...access, login: { ...access.login, passwordFile } } });
    await expect(changing.prepare('before', 'create')).rejects.toMatchObject({ reason: expect.stringContaining('refuses the user or the password') });
    await kafka.ca.write('changing', 'service-secret');
    await changing.prepare('after', 'create');
  });

  it('refuses a wrong password: one line, without the password', async () => {
    const passwordFile = await kafka.ca.write('wrong', 'wrong-secret');
    const line = 'Kafka: the engine refuses the user or the password: check KAFKA_USER and KAFKA_PASSWORD_FILE';
    for (const mechanism of ['plain', 'scram-sha-512'] as const) {
      const { brokers, access } = kafka.as('service', mechanism);
      expect(await refusal({ brokers, access: { ...access, login: { ...access.login, passwordFile } } })).toBe(line);
    }
  });

  it('is refused when its certificate is of another CA', async () => {
    await using other = await TestCa.make();
    const { brokers, access } = kafka.as('service');
    const line = "the engine's certificate is not of a trusted CA: set KAFKA_CA_FILE to its CA";
    expect(await refusal({ brokers, access: { ...access, caFile: other.file } })).toBe(`Kafka: ${line}`);
    expect(log.text).toContain(line);
  });

  it('refuses a client without a certificate, and one whose certificate has expired', async () => {
    const { brokers, access } = await kafka.byCertificate('service');
    const line = 'Kafka: the engine refuses the client certificate: check KAFKA_CERT_FILE and KAFKA_KEY_FILE';
    expect(await refusal({ brokers, access: { tls: true, caFile: access.caFile } })).toBe(line);
    expect(await refusal(await kafka.byCertificate('late', { expired: true }))).toBe(line);
  });

  it('refuses a user without rights', async () => {
    await expect(publisher(kafka.as('other')).prepare(newTopic(), 'create')).rejects.toMatchObject({
      reason: 'Kafka: the user does not have the rights that this service needs',
    });
  });

  describe('with the rights of the services (deploy/rights/kafka.sh)', () => {
    const EVENTS = 'sessions.events.v1';
    const CONSUMERS = [
      ['signing', 'signing'],
      ['webhook-dispatcher', 'webhooks'],
      ['timers', 'timers'],
      ['timers', 'session-status'],
    ] as const;
    const DELIVERIES = 'webhooks.deliveries.v1';

    beforeAll(() => grantRights(kafka.plainBrokers));

    it('event-relay makes the topic and fills it, and each consumer reads it in its own groups', async () => {
      const publication = new ThingPublication(store, EVENTS);
      const publishing = publisher(kafka.as('event-relay'));
      await publishing.prepare(EVENTS, 'create');
      const [event] = await appendThing(store, EVENTS, 'right', 'Made');
      await publishing.publish(EVENTS, [await publication.message(event!)]);
      expect(Object.keys((await publishing.reach(EVENTS)) ?? {})).not.toEqual([]);
      const stop = new AbortController();
      const seen = new Set<string>();
      for (const [user, group] of CONSUMERS) {
        const parts = { ...kafka.as(user), clientId: 'test', macs: RECORD_MACS, publications: [publication], clock, randomness, log };
        const bus = new KafkaMessageBus({ ...parts, fetchWait: FETCH_WAIT, metrics: new Metrics() });
        bus.consume({ topic: EVENTS, group, types: [...publication.types], handler: async () => void seen.add(group), signal: stop.signal });
        closing.push(async () => {
          stop.abort();
          await bus.close();
        });
      }
      await eventually(async () => seen.size === CONSUMERS.length, { what: 'the message arrives in each group', within: 45_000 });
    });

    it.each(CONSUMERS)('%s writes the dead letters of its group %s', async (user, group) => {
      const letters = `${EVENTS}.${group}.dead-letters`;
      const admin = kafka.client(user).admin();
      await admin.connect();
      await admin.createTopics({ topics: [{ topic: letters, numPartitions: 1, replicationFactor: 1 }] });
      await admin.disconnect();
      await expect(writes(user, letters)).resolves.toBeUndefined();
    });

    it.each(['webhook-dispatcher', 'registry', 'device-api'] as const)(
      '%s sends to the topic of deliveries, which webhook-dispatcher reads',
      async (sender) => {
        const parts = {
          clientId: 'test',
          macs: RECORD_MACS,
          publications: [],
          channels: [thingChannel(DELIVERIES)],
          clock,
          randomness,
          log: new CapturedLog(),
        };
        const open = (user: 'webhook-dispatcher' | 'registry' | 'device-api'): KafkaMessageBus => {
          const bus = new KafkaMessageBus({ ...parts, ...kafka.as(user), metrics: new Metrics() });
          closing.push(() => bus.close());
          return bus;
        };
        await open(sender).send(DELIVERIES, [order(sender, 1)]);
        const stop = new AbortController();
        closing.push(async () => stop.abort());
        const seen: string[] = [];
        const handler = async ({ subject }: { readonly subject: string }): Promise<void> => void seen.push(subject);
        const types = ['thing.ordered'];
        open('webhook-dispatcher').consume({ topic: DELIVERIES, group: 'webhook-deliveries', types, handler, signal: stop.signal });
        await eventually(async () => seen.includes(sender), { what: 'the message arrives', within: 30_000 });
      },
    );

    const erasures = (user: Parameters<typeof kafka.as>[0], topic = 'erasures.v1') => {
      log = new CapturedLog();
      const list = new KafkaCompactedTopic({ ...kafka.as(user), clientId: 'test', randomness, log }, topic);
      closing.push(() => list.close());
      return list;
    };

    it.each(['registry', 'operator'] as const)('%s keeps the list of erasures, also one that another program has made', async (user) => {
      const admin = new Kafka({ brokers: [...kafka.plainBrokers], logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      if ((await admin.listTopics()).includes('erasures.v1')) await admin.deleteTopics({ topics: ['erasures.v1'] });
      await admin.createTopics({ waitForLeaders: false, topics: [{ topic: 'erasures.v1', numPartitions: 1 }] });
      // A broker that has not heard of the new topic says that there is none, which kafkajs does not wait through.
      const leaders = async (): Promise<readonly number[]> =>
        (await admin.fetchTopicMetadata({ topics: ['erasures.v1'] })).topics.flatMap(({ partitions }) => partitions.map(({ leader }) => leader));
      const hasLeader = (): Promise<boolean> =>
        leaders().then(
          (found) => found.some((leader) => leader >= 0),
          () => false,
        );
      await eventually(hasLeader, { what: 'a leader of the new topic', within: 30_000 });
      const list = erasures(user);
      await list.put('person', { erasedAt: 1 });
      expect(await list.all()).toEqual(new Map([['person', { erasedAt: 1 }]]));
      const { resources } = await admin.describeConfigs({ resources: [{ type: 2, name: 'erasures.v1' }], includeSynonyms: false });
      await admin.disconnect();
      expect(resources[0]!.configEntries).toContainEqual(expect.objectContaining({ configName: 'cleanup.policy', configValue: 'compact' }));
      expect(log.text).not.toContain('deploy/rights/kafka.sh');
    });

    it('a registry with fewer rights than the script grants keeps the list, and its log names the script', async () => {
      const admin = new Kafka({ brokers: [...kafka.plainBrokers], logLevel: logLevel.NOTHING }).admin();
      await admin.connect();
      const earlier = [
        '--topic earlier.erasures --operation Create --operation Describe --operation Write --operation Read',
        '--group reader.earlier. --resource-pattern-type prefixed --operation Read --operation Describe --operation Delete',
      ];
      await admin.createAcls({ acl: earlier.flatMap((line) => aclEntries(`--allow-principal User:other ${line}`)) });
      await admin.disconnect();
      const list = erasures('other', 'earlier.erasures');
      await list.put('person', { erasedAt: 1 });
      expect(await list.all()).toEqual(new Map([['person', { erasedAt: 1 }]]));
      expect(log.text.match(/repeat deploy\/rights\/kafka\.sh/g)).toHaveLength(1);
    });

    const writes = async (user: Parameters<typeof kafka.as>[0], topic: string): Promise<void> => {
      const producer = kafka.client(user).producer({ allowAutoTopicCreation: false });
      await producer.connect();
      await producer.send({ topic, messages: [{ value: 'forged' }] }).finally(() => producer.disconnect());
    };

    it.each([
      ['signing', EVENTS],
      ['webhook-dispatcher', EVENTS],
      ['timers', EVENTS],
      ['registry', EVENTS],
      ['session-api', EVENTS],
      ['signing', 'erasures.v1'],
      ['event-relay', 'erasures.v1'],
      ['event-relay', `${EVENTS}.signing.dead-letters`],
      ['signing', `${EVENTS}.webhooks.dead-letters`],
      ['webhook-dispatcher', `${EVENTS}.timers.dead-letters`],
      ['timers', `${EVENTS}.signing.dead-letters`],
      ['webhook-dispatcher', 'erasures.v1'],
      ['timers', 'erasures.v1'],
      ['session-api', 'erasures.v1'],
      ['operator', 'another.topic'],
      ['signing', DELIVERIES],
      ['event-relay', DELIVERIES],
      ['session-api', DELIVERIES],
      ['device-api', EVENTS],
      ['device-api', 'erasures.v1'],
    ] as const)('%s may not write to %s', async (user, topic) => {
      await expect(writes(user, topic)).rejects.toThrow(/authori[sz]/i);
    });
  });
});
