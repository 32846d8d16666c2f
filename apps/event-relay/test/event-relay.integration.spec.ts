import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { KafkaMessage } from 'kafkajs';

import { eventually } from '#testkit/kernel/eventually';

import { SESSION_EVENTS_TOPIC } from '#domain/session';
import { foreignClient, kafkaConnection } from '#testkit/message-bus/settings';
import { schemaFaults } from '#testkit/webhook/event-schemas';
import { asyncApi, deviations } from './asyncapi.js';
import { relayedSessions } from './relayed-sessions.fixture.js';

const connection = kafkaConnection();

(connection.brokers.length > 0 ? describe : describe.skip)('the event relay on Kafka', () => {
  let sessions: ReturnType<typeof relayedSessions>;
  beforeAll(() => {
    sessions = relayedSessions(connection);
  });
  afterAll(() => sessions.close());

  it('publishes every event of every session, in order', async () => {
    await sessions.create(50);
    await sessions.allSeen();
    expect(new Set(sessions.seen.map(({ subject }) => subject))).toEqual(new Set(sessions.created));
  });

  it('writes records as docs/asyncapi.yaml describes them', async () => {
    const api = await asyncApi();
    const consumer = foreignClient().consumer({ groupId: `${sessions.topic}.reader` });
    const records: KafkaMessage[] = [];
    const partitions = new Set<number>();
    await consumer.connect();
    await consumer.subscribe({ topics: [sessions.topic], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message, partition }) => {
        records.push(message);
        partitions.add(partition);
      },
    });
    await eventually(() => records.length >= 150, { what: () => `150 records, ${records.length} so far` });
    await consumer.disconnect();
    for (const { key, value, headers = {} } of records) {
      const texts = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)]));
      const type = texts['ce_type'] ?? '';
      expect(deviations(api.headers(type), texts, api.headerNames)).toEqual([]);
      expect(deviations(api.payload(type), JSON.parse(String(value)) as object, api.memberNames)).toEqual([]);
      expect(schemaFaults(`${SESSION_EVENTS_TOPIC}/headers`, texts)).toEqual([]);
      expect(schemaFaults(`${SESSION_EVENTS_TOPIC}/${type}`, JSON.parse(String(value)))).toEqual([]);
      expect(String(key)).toBe(texts['ce_subject']);
    }
    expect(partitions.size).toBe(api.document.channels.sessionEvents.bindings.kafka.partitions);
  });
});
