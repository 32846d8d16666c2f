import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { GrpcTestServer } from '../../tools/distributed/event-store-server.ts';
import { expectError, expectOk, NO_GIVEN_ENGINES, runDirectory, SigningClient, StandaloneService, Staff } from '../support/index.js';
import { eventsLeadingTo, streamsNaming, untilLast, type UsedPerson, useEverything } from './support/erased-person.js';
import { GRPC_TEST_SERVER, StoredData } from './support/stored-data.js';

const ROOT = join(import.meta.dirname, '../..');
/** The sessions of a person are unreadable after this time: the longest session, the building of a container, ten minutes. */
const SESSIONS_UNREADABLE = 300 + 60 + 600;
const RESULT_RETENTION = 1800;
/** The longest step of the clock. The certificate of a phone ends after two years. */
const YEAR = 366 * 86_400;

/** The gRPC test server, which scavenges as an EventStoreDB was measured to. The server judges ages by a clock of its own, so no event expires here: removed streams are tombstoned. */
const directory = join(runDirectory(), 'erasure-scavenge.engines');
const metricsFile = join(runDirectory(), 'erasure-scavenge.prom');
const server = new GrpcTestServer(directory);

let service: StandaloneService;
let staff: Staff;
let disk: StoredData;
let erased: UsedPerson;
let other: UsedPerson;

beforeAll(async () => {
  await server.start();
  service = await StandaloneService.start('erasure-scavenge', { ...NO_GIVEN_ENGINES, ESDB_URL: server.url });
  disk = new StoredData(join(directory, 'grpc-test-server'), join(service.dataDirectory, 'keys'), GRPC_TEST_SERVER);
  staff = new Staff(service);
  erased = await useEverything(service, disk);
  other = await useEverything(service, disk);
}, 120_000);

afterAll(async () => {
  await service.stop();
  await server.stop();
});

const pass = async (seconds: number): Promise<void> => {
  expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } }));
};

/** `npm run cli -- store scavenge` against the server. */
const scavenge = async (): Promise<string> => {
  const credentials = join(runDirectory(), 'erasure-scavenge.credentials');
  await writeFile(credentials, 'ops:changeit\n', { mode: 0o600 });
  const command = ['run', '--silent', 'cli', '--', 'store', 'scavenge', '--credentials', credentials, '--metrics-file', metricsFile, '--poll', '0.2'];
  const { stdout } = await promisify(execFile)('npm', command, { cwd: ROOT, env: { ...process.env, ESDB_URL: server.url } });
  return stdout;
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
    await untilLast(disk, `identity-${erased.person.identityId}`, 'SessionsErased');
  });

  it('is in no file of the server after a scavenge, and $all leads to nothing', async () => {
    expect(disk.finds(erased.needles)).not.toEqual([]);
    expect(await scavenge()).toMatch(/leader, scavenge /);
    expect(disk.finds(erased.needles)).toEqual([]);
    expect(streamsNaming(erased.person, disk)).toEqual([]);
    expect(eventsLeadingTo(erased, disk)).toEqual([]);
    expect(await readFile(metricsFile, 'utf8')).toMatch(/^countersign_store_scavenge_last_success_timestamp_seconds\{node=".+"\} \d+$/m);
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
  it('is in no file of the server after a scavenge: container, signature value, manifest, signed bytes', async () => {
    const client = await SigningClient.register(service);
    const signing = await client.completed(other.phone);
    const stream = `result-${signing.sessionId}`;
    const events = disk.events(stream);
    expect(events.map(({ type }) => type)).toEqual(['StatementPrepared', 'SignatureVerified', 'ResultKept']);
    const needles = events.flatMap(({ data }) => (JSON.parse(data) as { sealed: string }).sealed.match(/.{32,64}/g) ?? []);
    expect(disk.finds(needles).length).toBeGreaterThan(0.9 * needles.length);
    await pass(RESULT_RETENTION + 60);
    expectError(await client.client.result(signing), 404, 'session_not_found');
    await untilLast(disk, stream, '$streamDeleted');
    await scavenge();
    expect(disk.finds(needles)).toEqual([]);
    expect(disk.events(`session-${signing.sessionId}`).map(({ type }) => type)).toContain('SessionCompleted');
  });
});

// Last: it moves the clock by years.
describe('the revoked certificate of a person who is erased', () => {
  const stream = () => erased.streams.find((name) => name.startsWith('certificate-'))!;

  it('leaves its tombstone alone when it has ended and the server was scavenged', async () => {
    expect(disk.events(stream()).map(({ type }) => type)).toEqual(['CertificateRevoked']);
    for (let year = 0; year < 2; year++) await pass(YEAR);
    await untilLast(disk, stream(), '$streamDeleted');
    await scavenge();
    expect(disk.events(stream()).map(({ type }) => type)).toEqual(['$streamDeleted']);
  });
});
