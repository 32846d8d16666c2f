import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import {
  expectError,
  expectOk,
  NO_GIVEN_ENGINES,
  SigningClient,
  type Phone,
  RelyingParty,
  runDirectory,
  StandaloneService,
  Staff,
} from '../support/index.js';
import { GivenEventStore, GrpcTestServer } from '../../testkit/topologies/event-store-server.ts';
import { KafkaCluster } from '../../testkit/programs/kafka/cluster.ts';
import { RedisServer } from '../../testkit/programs/redis/redis-server.ts';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

/*
 * Each engine has its own setting, so engines and embedded adapters can be mixed: one process, with store, bus and queue each
 * embedded or on a server. For each store the same data go through all mixtures of the other two, as when an operator adds a server
 * and removes it again. The other suites run with all three embedded and with all three on servers.
 */
const TIME_LIMIT = 60_000;
const directory = join(runDirectory(), 'mixtures.engines');
const { ESDB_URL } = process.env;

let store: GrpcTestServer | GivenEventStore;
let kafka: KafkaCluster;
let redis: RedisServer;

beforeAll(async () => {
  store = ESDB_URL ? new GivenEventStore(process.env) : new GrpcTestServer(directory);
  kafka = await KafkaCluster.open({ directory: join(directory, 'kafka') });
  redis = await RedisServer.open({ directory: join(directory, 'redis') });
  await Promise.all([store.start(), kafka.start(), redis.start()]);
});

afterAll(() => Promise.all([store.stop(), kafka.remove(), redis.remove()]));

describe.each(['SQLite', 'EventStoreDB'])('on %s', (storeName) => {
  let service: StandaloneService;
  let staff: Staff;
  let phone: Phone;
  let client: RelyingParty;
  let subjectId: string;
  let receiver: WebhookReceiver;

  const settings = (bus: string, queue: string): Record<string, string> => ({
    ...NO_GIVEN_ENGINES,
    // Sessions with push are left to the timer; logins have time.
    PUSH_SESSION_TTL: '3',
    PUSH_LIMIT: '1000',
    RELAY_LEASE: '3',
    ...(storeName === 'EventStoreDB' && { ESDB_URL: store.url }),
    ...(bus === 'Kafka' && { KAFKA_BROKERS: kafka.brokers.join(',') }),
    ...(queue === 'Redis' && { REDIS_URL: redis.url }),
  });

  beforeAll(async () => {
    // Records about the other store's sessions do not concern these.
    await Promise.all([kafka.kill(), redis.kill()]);
    await Promise.all([kafka.wipe(), redis.wipe()]);
    await Promise.all([kafka.start(), redis.start()]);
    service = await StandaloneService.start(`mixture-${storeName}`, settings('embedded', 'SQLite'));
    staff = new Staff(service);
    client = await RelyingParty.register(service);
    phone = await staff.newPhone();
    subjectId = await client.subjectOf(phone);
    receiver = await WebhookReceiver.open({});
    await Endpoint.add(staff, client, { name: 'all', receiver });
  });

  afterAll(async () => {
    await service.stop();
    receiver.close();
  });

  const told = (sessionId: string): string[] => receiver.received.filter((message) => message.sessionId === sessionId).map(({ status }) => status);

  const isTold = (sessionId: string, status: string): Promise<void> =>
    eventually(() => told(sessionId).includes(status), { what: `the message that ${sessionId} is ${status}`, within: TIME_LIMIT });

  describe.each([
    ['embedded', 'Redis'],
    ['Kafka', 'SQLite'],
    ['Kafka', 'Redis'],
    ['embedded', 'SQLite'],
  ])('bus %s, queue %s', (bus, queue) => {
    beforeAll(async () => {
      await service.stop();
      await service.restart(settings(bus, queue));
    });

    it('logins, signatures, webhooks, and the expiry of a session that no request touches', async () => {
      const left = await client.login({ push: true, subject_id: subjectId });
      expect(await client.subjectOf(phone)).toBe(subjectId);
      const login = await client.completed(phone);
      const signing = await SigningClient.of(client).completed(phone);
      await isTold(login.sessionId, 'COMPLETED');
      await isTold(signing.sessionId, 'COMPLETED');
      await isTold(left.sessionId, 'EXPIRED');
    });

    it('kill -9 during logins, and the service continues after a start', async () => {
      const scanned = await client.scanned(phone);
      const signing = await SigningClient.of(client).scanned(phone);
      const left = await client.login({ push: true, subject_id: subjectId });
      const { code, verifier } = await client.completed(phone);
      expectOk(await phone.confirm(signing.sessionId));
      await service.kill();
      await service.restart();
      expectOk(await client.token(code, verifier));
      expectError(await client.token(code, verifier), 400, 'invalid_grant');
      expectOk(await phone.confirm(scanned.sessionId));
      await client.redeemableCode(scanned);
      expect(await SigningClient.of(client).settled(signing)).toBe('COMPLETED');
      for (const { sessionId } of [scanned, signing]) await isTold(sessionId, 'COMPLETED');
      await isTold(left.sessionId, 'EXPIRED');
    });
  });
});
