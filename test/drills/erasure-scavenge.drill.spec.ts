import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SpawnedCluster } from '#testkit/event-store/eventstoredb/spawned-cluster';

import { buildCommands, runCli } from '../../testkit/processes/run-cli.ts';
import { expectError, expectOk, NO_GIVEN_ENGINES, runDirectory, SigningClient, StandaloneService, Staff } from '../support/index.js';
import { eventsLeadingTo, streamsNaming, untilLast, type UsedPerson, useEverything } from './support/erased-person.js';
import { GRPC_TEST_SERVER, StoredData } from './support/stored-data.js';

/** The sessions of a person are unreadable after this time: the longest session, the building of a container, ten minutes. */
const SESSIONS_UNREADABLE = 300 + 60 + 600;
const RESULT_RETENTION = 1800;
/** The longest step of the clock. The certificate of a phone ends after two years. */
const YEAR = 366 * 86_400;

const metricsFile = join(runDirectory(), 'erasure-scavenge.prom');

/**
 * Three gRPC test servers with files of their own, of which each scavenges for itself, as an EventStoreDB was measured to. They judge ages by a clock of
 * their own, so no event expires here: removed streams are tombstoned.
 */
let cluster: SpawnedCluster;
let service: StandaloneService;
let staff: Staff;
/** Of each node, the leader first. */
let disks: readonly StoredData[];
/** The leader's. */
let disk: StoredData;
let erased: UsedPerson;
let other: UsedPerson;

beforeAll(async () => {
  cluster = await SpawnedCluster.start();
  service = await StandaloneService.start('erasure-scavenge', { ...NO_GIVEN_ENGINES, ESDB_URL: cluster.connectionString });
  const leader = await cluster.leader();
  const keys = join(service.dataDirectory, 'keys');
  disks = [leader, ...cluster.except(leader)].map(({ folder }) => new StoredData(folder, keys, GRPC_TEST_SERVER));
  disk = disks[0]!;
  staff = new Staff(service);
  erased = await useEverything(service, disk);
  other = await useEverything(service, disk);
});

afterAll(async () => {
  await service.stop();
  await cluster[Symbol.asyncDispose]();
});

const pass = async (seconds: number): Promise<void> => {
  expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } }));
};

/** `npm run cli -- store scavenge` against the cluster. It builds no more than its own files: other drills load the rest of `dist` meanwhile. */
const scavenge = async (): Promise<string> => {
  const credentials = join(runDirectory(), 'erasure-scavenge.credentials');
  await writeFile(credentials, 'ops:changeit\n', { mode: 0o600 });
  await buildCommands('reclaim-space', 'metrics-file', 'on-store');
  const command = ['store', 'scavenge', '--credentials', credentials, '--metrics-file', metricsFile, '--poll', '0.2'];
  return runCli(command, { ESDB_URL: cluster.connectionString });
};

describe('a person who is erased, on a store that keeps last events', () => {
  it('is unknown at once, with devices and results', async () => {
    expect(streamsNaming(erased.person, disk)).toEqual([`identitydata-${erased.person.identityId}`, `result-${erased.signing.sessionId}`]);
    expect((await staff.call('DELETE', `/identities/${erased.person.identityId}`)).status).toBe(204);
    const client = await SigningClient.register(service);
    expect((await erased.phone.scan((await client.begin()).sessionId)).status).toBe(401);
  });

  it('has no sessions when their status is no longer read', async () => {
    await pass(SESSIONS_UNREADABLE + RESULT_RETENTION);
    for (const each of disks) await untilLast(each, `identity-${erased.person.identityId}`, 'SessionsErased');
  });

  it('is in no file of any node after a scavenge of each, the leader last, and $all leads to nothing', async () => {
    for (const each of disks) expect(each.finds(erased.needles)).not.toEqual([]);
    const told = await scavenge();
    expect(told.match(/(leader|follower), scavenge /g)).toEqual(['follower, scavenge ', 'follower, scavenge ', 'leader, scavenge ']);
    for (const each of disks) {
      expect(each.finds(erased.needles)).toEqual([]);
      expect(streamsNaming(erased.person, each)).toEqual([]);
      expect(eventsLeadingTo(erased, each)).toEqual([]);
    }
    const successes = (await readFile(metricsFile, 'utf8')).match(/^countersign_store_scavenge_last_success_timestamp_seconds\{node=".+"\} \d+$/gm);
    expect(successes).toHaveLength(3);
  });

  it('leaves events without content where the person may begin again, and the revocation of the certificate', () => {
    const left = erased.streams.flatMap((stream) => disk.events(stream)).filter(({ type }) => type !== '$streamDeleted');
    expect(left.map(({ stream, type, data }) => [stream.slice(0, stream.indexOf('-')), type, Object.keys(JSON.parse(data) as object)])).toEqual(
      expect.arrayContaining([
        ['person', 'PersonReleased', []],
        ['subject', 'SubjectReleased', []],
        ['certificate', 'CertificateRevoked', ['at', 'notAfter']],
      ]),
    );
    expect(left).toHaveLength(3);
  });

  it('may register again, as another person', async () => {
    const { identityId: _, ...data } = erased.person;
    const answer = await staff.call('POST', '/identities', data);
    expect(answer.status).toBe(201);
    expect(answer.json!['identityId']).not.toBe(erased.person.identityId);
  });

  it('leaves the data of other persons', async () => {
    const events = disk.events('%').filter(({ type }) => type !== '$streamDeleted');
    const kept = new Set(events.map(({ stream }) => stream));
    // The result is over, too.
    expect(other.streams.filter((stream) => !stream.startsWith('result-') && !kept.has(stream))).toEqual([]);
    expect(streamsNaming(other.person, disk)).toContain(`identitydata-${other.person.identityId}`);
    const client = await SigningClient.register(service);
    expect((await client.completed(other.phone)).sessionId).toBeDefined();
  });
});

describe('the result of a signature that is over', () => {
  it('is in no file of any node after a scavenge of each: container, signature value, manifest, signed bytes', async () => {
    const client = await SigningClient.register(service);
    const signing = await client.completed(other.phone);
    const stream = `result-${signing.sessionId}`;
    const events = disk.events(stream);
    expect(events.map(({ type }) => type)).toEqual(['StatementPrepared', 'SignatureVerified', 'SignatureStamped', 'ResultKept']);
    const needles = events.flatMap(({ data }) => (JSON.parse(data) as { sealed: string }).sealed.match(/.{32,64}/g) ?? []);
    expect(disk.finds(needles).length).toBeGreaterThan(0.9 * needles.length);
    await pass(RESULT_RETENTION + 60);
    expectError(await client.client.result(signing), 404, 'session_not_found');
    for (const each of disks) await untilLast(each, stream, '$streamDeleted');
    await scavenge();
    for (const each of disks) expect(each.finds(needles)).toEqual([]);
    expect(disk.events(`session-${signing.sessionId}`).map(({ type }) => type)).toContain('SessionCompleted');
  });
});

// Last: it moves the clock by years.
describe('the certificates of an erased and of a living person', () => {
  it('leave their tombstones alone when they have ended and each node was scavenged', async () => {
    const streams = [erased, other].map((person) => person.streams.find((name) => name.startsWith('certificate-'))!);
    const types = (each: StoredData) => streams.map((stream) => each.events(stream).map(({ type }) => type));
    expect(types(disk)).toEqual([['CertificateRevoked'], ['CertificateIssued']]);
    for (let year = 0; year < 2; year++) await pass(YEAR);
    for (const each of disks) for (const stream of streams) await untilLast(each, stream, '$streamDeleted');
    await scavenge();
    for (const each of disks) expect(types(each)).toEqual([['$streamDeleted'], ['$streamDeleted']]);
  });
});
