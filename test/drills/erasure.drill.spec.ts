import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  expectError,
  expectOk,
  NO_GIVEN_ENGINES,
  SigningClient,
  pause,
  type Person,
  type Phone,
  StandaloneService,
  type Signing,
  Staff,
} from '../support/index.js';
import { eventsLeadingTo, needlesOf, streamsNaming, untilLast, type UsedPerson, useEverything } from './support/erased-person.js';
import { type Find, spelledPieces, StoredData } from './support/stored-data.js';

/** The embedded store, also in a run against an EventStoreDB: there a scavenge of the server's reclaims the space. */
const IN_FILES = NO_GIVEN_ENGINES;

const RESULT_RETENTION = 1800;
/** The sessions of a person are unreadable after this time: the longest session, the building of a container, ten minutes. */
const SESSIONS_UNREADABLE = 300 + 60 + 600;
/** The longest step of the clock. The certificate of a phone ends after two years. */
const YEAR = 366 * 86_400;
/** A result has left the disk at most so long after it is hidden: SIGNING_BUILD_TTL, a minute of grace, and a minute between two sweeps. */
const SWEPT_AFTER = 180;

let service: StandaloneService;
let disk: StoredData;
let staff: Staff;
let signingClient: SigningClient;
let ben: Person;
let phoneOfBen: Phone;

beforeAll(async () => {
  service = await StandaloneService.start('erasure', IN_FILES);
  disk = new StoredData(service.dataDirectory);
  staff = new Staff(service);
  signingClient = await SigningClient.register(service);
  ben = await staff.registerPerson();
  phoneOfBen = await staff.phoneOf(ben);
});

afterAll(() => service.stop());

const pass = async (seconds: number): Promise<void> => {
  expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } }));
};

/** A piece on the border of two pages of the file is cut in two, and not found. */
const expectOnDisk = (needles: readonly string[]): void => {
  expect(new Set(disk.finds(needles).map(({ needle }) => needle)).size).toBeGreaterThan(0.9 * needles.length);
};

/** The needles that the files still hold once the service has swept, or after ten seconds. */
const swept = async (needles: readonly string[]): Promise<readonly Find[]> => {
  for (const deadline = Date.now() + 10_000; ;) {
    const finds = disk.finds(needles);
    if (finds.length === 0 || Date.now() > deadline) return finds;
    await pause(200);
  }
};

interface Kept {
  readonly signing: Signing;
  /** Of the result, as it lies on disk. */
  readonly needles: readonly string[];
  readonly container: string;
}

/** A signature with a fetched result that lies on disk, where the search finds it. */
const sign = async (phone: Phone): Promise<Kept> => {
  const signing = await signingClient.completed(phone);
  const { container } = expectOk(await signingClient.client.result(signing)) as { container: string };
  const events = disk.events(`result-${signing.sessionId}`);
  expect(events.map(({ type }) => type)).toEqual(['StatementPrepared', 'SignatureVerified', 'SignatureStamped', 'ResultKept']);
  expect(disk.opened(events.at(-1)!)).toMatchObject({ container });
  const needles = needlesOf(events);
  expect(needles.length).toBeGreaterThan(100);
  expectOnDisk(needles);
  return { signing, needles, container };
};

/** Of Ben, who is not erased. */
let later: Kept;

const expectUntouched = async ({ signing, needles, container }: Kept): Promise<void> => {
  expectOnDisk(needles);
  expect(expectOk(await signingClient.client.result(signing))['container']).toBe(container);
};

describe('the result of a signature', () => {
  let first: Kept;

  beforeAll(async () => {
    first = await sign(await staff.newPhone());
  });

  it('is stored encrypted, the signature value too', () => {
    expect(disk.finds(spelledPieces(Buffer.from(first.container, 'base64')))).toEqual([]);
  });

  it('stays while it can be fetched', async () => {
    await pass(RESULT_RETENTION - 30);
    later = await sign(phoneOfBen);
    await expectUntouched(first);
  });

  it('cannot be fetched after 1800 s, and is gone from every file of DATA_DIR three minutes later', async () => {
    await pass(30);
    expectError(await signingClient.client.result(first.signing), 404, 'session_not_found');
    await pass(SWEPT_AFTER);
    expect(await swept(first.needles)).toEqual([]);
  });

  it('does not remove another result', () => expectUntouched(later));
});

describe('a person who is erased', () => {
  let ann: UsedPerson;

  const erase = async ({ identityId }: Person): Promise<void> => {
    expect((await staff.call('DELETE', `/identities/${identityId}`)).status).toBe(204);
  };

  it('is unknown to every endpoint at once, and gone from every file within a minute: record, devices, inbox, subject ids, results', async () => {
    ann = await useEverything(service, disk);
    expect(streamsNaming(ann.person, disk)).toEqual([`identitydata-${ann.person.identityId}`, `result-${ann.signing.sessionId}`]);
    await erase(ann.person);
    expect(streamsNaming(ann.person, disk)).toEqual([]);
    const needlesOfSessions = needlesOf(ann.streams.filter((stream) => stream.startsWith('session-')).flatMap((stream) => disk.events(stream)));
    expectOnDisk(needlesOfSessions);
    await pass(60);
    expect(await swept(ann.needles.filter((needle) => !needlesOfSessions.includes(needle)))).toEqual([]);
  });

  it('has no sessions when their status is no longer read, and nothing leads to the person', async () => {
    await pass(SESSIONS_UNREADABLE + RESULT_RETENTION);
    await untilLast(disk, `identity-${ann.person.identityId}`, 'SessionsErased');
    await pass(60);
    expect(await swept(ann.needles)).toEqual([]);
    expect(eventsLeadingTo(ann, disk)).toEqual([]);
  });

  it('may register again, as another person', async () => {
    const { identityId, ...data } = ann.person;
    const answer = await staff.call('POST', '/identities', data);
    expect(answer.status).toBe(201);
    expect(answer.json!['identityId']).not.toBe(identityId);
  });

  it('is gone after the next start when the process was killed during the erasure', async () => {
    const { person, needles, streams } = await useEverything(service, disk);
    const ofSessions = needlesOf(streams.filter((stream) => stream.startsWith('session-')).flatMap((stream) => disk.events(stream)));
    const atOnce = needles.filter((needle) => !ofSessions.includes(needle));
    await erase(person);
    await service.kill();
    expect(disk.finds(atOnce)).not.toEqual([]);
    await service.restart();
    expect(await swept(atOnce)).toEqual([]);
  });

  it('is the only one: the data of all others stays', async () => {
    expect(streamsNaming(ben, disk)).toContain(`identitydata-${ben.identityId}`);
    expect((await signingClient.completed(phoneOfBen)).sessionId).toBeDefined();
  });

  // Last: it moves the clock by years.
  it('has no revoked certificate when that has ended, also after a kill -9', async () => {
    const stream = ann.streams.find((name) => name.startsWith('certificate-'))!;
    expect(disk.events(stream).map(({ type }) => type)).toEqual(['CertificateRevoked']);
    const needles = needlesOf(disk.events(stream));
    expectOnDisk(needles);
    await service.kill();
    await service.restart();
    for (let year = 0; year < 2; year++) await pass(YEAR);
    expect(await swept(needles)).toEqual([]);
  });
});
