import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { CapturedLog, TestCa } from '#engine-access/testing';
import { type ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#kernel/testing';
import { SqliteEventStore } from '#event-store';
import { Metrics } from '#telemetry';

import { RECORD_MACS } from '../testing/record-macs.js';
import { SecuredKafka } from '../testing/secured-kafka.js';
import { kafkaBrokers } from '../testing/settings.js';
import { appendThing, ThingPublication } from '../testing/thing-publication.js';
import type { KafkaSettings } from './kafka-client.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { KafkaPublisher } from './kafka-publisher.js';

type Access = Pick<KafkaSettings, 'brokers' | 'access'>;

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
    await publishing.prepare(topic);
    const stop = new AbortController();
    const seen: string[] = [];
    const parts = { ...access, clientId: 'test', macs: RECORD_MACS, publications: [publication], clock, randomness, log, metrics: new Metrics() };
    const bus = new KafkaMessageBus(parts);
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

  it.each(['plain', 'scram-sha-512'] as const)('carries messages of a user with a password (%s)', async (mechanism) => {
    await carries(kafka.as('service', mechanism));
  });

  it('carries messages of a client with a certificate', async () => {
    await carries(await kafka.byCertificate('service'));
  });

  it('is reached with the password that the file holds when a connection is made', async () => {
    const passwordFile = await kafka.ca.write('changing', 'old-secret');
    const { brokers, access } = kafka.as('service');
    const changing = publisher({ brokers, access: { ...access, login: { ...access.login, passwordFile } } });
    await expect(changing.prepare('before')).rejects.toMatchObject({ reason: expect.stringContaining('refuses the user or the password') });
    await kafka.ca.write('changing', 'service-secret');
    await changing.prepare('after');
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
    await expect(publisher(kafka.as('other')).prepare(newTopic())).rejects.toMatchObject({
      reason: 'Kafka: the user does not have the rights that this service needs',
    });
  });
});
