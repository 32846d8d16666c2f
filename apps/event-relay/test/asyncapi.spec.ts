import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { NO_STREAM, type RecordedEvent, SqliteEventStore, streamName } from '#engines/event-store';
import { type ClientId, type DomainEvent, type EndpointId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SESSION_EVENTS_TOPIC, SessionPublication } from '#domain/session';
import { deliveryChannel } from '#domain/webhook';
import { enveloped } from '#testkit/session/enveloped';
import { schemaFaults } from '#testkit/webhook/event-schemas';

import { asyncApi, deviations } from './asyncapi.js';

const FOLDER = join(import.meta.dirname, '../../../libs/domain/session/src/domain');
/** The recorded events of each version, and those of features that came later. */
const GOLDEN = globSync('session.*.v*.json', { cwd: FOLDER }).map((file) => join(FOLDER, file));

describe('docs/asyncapi.yaml', () => {
  const store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  const randomness = new SystemRandomness();
  afterAll(() => store.close());

  /** Every stored event of every version, each in a valid history. */
  const storedEvents = async (): Promise<readonly RecordedEvent[]> => {
    const histories = await Promise.all(GOLDEN.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as { events: DomainEvent[] }));
    const events = histories.flatMap((history) => history.events);
    let stream = streamName('session', '');
    const recorded: RecordedEvent[] = [];
    for (const event of events) {
      if (event.type === 'SessionCreated') stream = streamName('session', randomness.uuid());
      const before = await store.read(stream);
      await store.append(stream, before.at(-1)?.revision ?? NO_STREAM, enveloped([event], before));
      recorded.push((await store.read(stream)).at(-1)!);
    }
    return recorded;
  };

  it('is an AsyncAPI 3 document', async () => {
    expect((await asyncApi()).validate()).toEqual([]);
  });

  it('names the topic and exactly the published types', async () => {
    const { document, types } = await asyncApi();
    const publication = new SessionPublication(store);
    expect(document.channels.sessionEvents.address).toBe(SESSION_EVENTS_TOPIC);
    expect(types.toSorted()).toEqual([...publication.types].sort());
  });

  it('describes the message of every stored event', async () => {
    const api = await asyncApi();
    const publication = new SessionPublication(store);
    const types = new Set<string>();
    for (const event of await storedEvents()) {
      const message = (await publication.message(event))!;
      types.add(message.type);
      expect(deviations(api.payload(message.type), message.data, api.memberNames)).toEqual([]);
      expect(schemaFaults(`${SESSION_EVENTS_TOPIC}/${message.type}`, message.data)).toEqual([]);
    }
    expect([...types].sort()).toEqual([...publication.types].sort());
  });

  it('names the topic of deliveries with its types, and describes their messages', async () => {
    const api = await asyncApi();
    expect(api.document.channels.webhookDeliveries.address).toBe(deliveryChannel.topic);
    expect(api.requestTypes.toSorted()).toEqual([...deliveryChannel.types].sort());
    const [clientId, endpointId, deliveryId] = [randomness.uuid<ClientId>(), randomness.uuid<EndpointId>(), randomness.uuid()];
    const message = { type: 'session.cancelled', happenedAt: 1, data: { sessionId: randomness.uuid(), sequence: 1 } };
    const data = { clientId, endpointId, deliveryId, message };
    for (const [type, payload] of [
      ['delivery.requested', data],
      ['delivery.retry_requested', { ...data, attempts: 2 }],
    ] as const) {
      const event = {
        specversion: '1.0',
        id: deliveryId,
        source: '/webhooks',
        type,
        subject: endpointId,
        time: '',
        esrevision: 0,
        data: payload,
      } as const;
      expect(deliveryChannel.refuse(event)).toBeUndefined();
      expect(deviations(api.payload(type), payload, Object.keys({ ...data, attempts: 0 }))).toEqual([]);
    }
    expect(deviations(api.payload('delivery.retry_requested'), data, Object.keys(data))).not.toEqual([]);
  });

  it('finds the deviations of a wrong message', async () => {
    const api = await asyncApi();
    const wrong = { sessionId: 'x', clientId: 'c', signatureType: 'AUTHENTICATION', status: 'SCANNED', at: 1.5, push: 'NO_DEVICE', name: 'Mari' };
    expect(deviations(api.payload('session.created'), wrong, api.memberNames)).toEqual([
      expect.stringContaining('/sessionId'),
      expect.stringContaining('/at'),
      expect.stringContaining("'expiresAt'"),
      expect.stringContaining('/status'),
      'name is not documented',
    ]);
    expect(schemaFaults(`${SESSION_EVENTS_TOPIC}/session.created`, wrong)).toEqual([
      expect.stringContaining('/sessionId'),
      expect.stringContaining('/at'),
      expect.stringContaining("'expiresAt'"),
      expect.stringContaining('/status'),
    ]);
  });
});
