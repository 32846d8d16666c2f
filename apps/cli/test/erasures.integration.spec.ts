import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';
import { AuthenticatedErasureList, type ErasureList, ErasureMacs, KafkaErasureLines } from '#domain/identity';
import { type IdentityId, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { SilentLog } from '#telemetry';

import { writeEventKeys } from '#testkit/config/event-key-file';
import { foreignClient, kafkaBrokers, kafkaConnection } from '#testkit/message-bus/settings';
import { exportErasures, importErasures } from '../src/store/erasures.js';

const TOPIC = 'erasures.v1';

(kafkaBrokers().length > 0 ? describe : describe.skip)('the list of erasures in Kafka, by TLS and password', () => {
  const randomness = new SystemRandomness();
  const admin = foreignClient().admin();
  let directory: string;
  let list: ErasureList;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cli-erasures-'));
    await admin.connect();
    await removeTopic();
    const lines = new KafkaErasureLines({ ...kafkaConnection(), clientId: 'registry', randomness, log: new SilentLog() });
    list = new AuthenticatedErasureList(lines, new ErasureMacs(await writeEventKeys(join(directory, 'keys')), 'test'));
  });
  afterEach(async () => {
    await list.close();
    await admin.disconnect();
    await rm(directory, { recursive: true });
  });

  const removeTopic = async (): Promise<void> => {
    if ((await admin.listTopics()).includes(TOPIC)) await admin.deleteTopics({ topics: [TOPIC] });
  };
  const settings = () => loadPlatformSettings({ ...process.env, ENVIRONMENT: 'test', DATA_DIR: directory, KEY_DIR: undefined });
  const copy = (): string => join(directory, 'erasures.jsonl');

  it('outlives the topic by its copy: a service that runs finds every person again, and those since', async () => {
    const before = new Map(Array.from({ length: 25 }, (_, at) => [randomness.uuid<IdentityId>(), at] as const));
    for (const [identityId, erasedAt] of before) await list.add(identityId, erasedAt);
    // The first group on a new broker has to wait.
    await eventually(
      () =>
        list.all().then(
          ({ size }) => size === before.size,
          () => false,
        ),
      { what: 'the list has all persons' },
    );
    expect(await exportErasures(copy(), settings())).toEqual({ added: 25, entries: 25 });
    expect(await exportErasures(copy(), settings())).toEqual({ added: 0, entries: 25 });

    await removeTopic();
    expect(await exportErasures(copy(), settings())).toEqual({ added: 0, entries: 25 });
    const since = randomness.uuid<IdentityId>();
    await list.add(since, 100);
    expect(await importErasures(copy(), settings())).toEqual({ added: 25, entries: 26 });
    expect(await importErasures(copy(), settings())).toEqual({ added: 0, entries: 26 });
    expect(await list.all()).toEqual(new Map([...before, [since, 100]]));
  });
});
