import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { expectError, expectOk, Needles, Notary, pause, type Person, type Phone, RelyingParty, ServiceProcess, type Signing, Staff } from '../conformance/support/index.js';
import { type Find, pieces, spelledPieces, StoredData, type StoredEvent } from './support/stored-data.js';

/** The embedded store, also in a run against an EventStoreDB: there a scavenge of the server's reclaims the space. */
const IN_FILES = { ESDB_URL: '', KEY_DIR: '' };

const RESULT_RETENTION = 1800;
/** How much later than it is hidden a result has left the disk, at most: SIGNING_BUILD_TTL and a minute of grace, and a minute between two sweeps. */
const SWEPT_AFTER = 180;

let service: ServiceProcess;
let disk: StoredData;
let staff: Staff;
let notary: Notary;
let phoneOfBen: Phone;

beforeAll(async () => {
  service = await ServiceProcess.start('erasure', IN_FILES);
  disk = new StoredData(service.dataDirectory);
  staff = new Staff(service);
  notary = await Notary.register(service);
  phoneOfBen = await staff.newPhone();
});

afterAll(() => service.stop());

const pass = async (seconds: number): Promise<void> => {
  expectOk(await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } }));
};

/** Bytes on disk: the ciphertext of a sealed event, all of the data of another one. */
const needlesOf = (events: readonly StoredEvent[]): string[] =>
  events.flatMap(({ data }) => {
    const { sealed } = JSON.parse(data) as { sealed?: string };
    return sealed === undefined ? [data] : pieces(sealed);
  });

/** A piece on the border of two pages of the file is cut in two, and not found. */
const expectOnDisk = (needles: readonly string[]): void => {
  expect(new Set(disk.finds(needles).map(({ needle }) => needle)).size).toBeGreaterThan(0.9 * needles.length);
};

/** What the files hold of the needles once the service has swept, or after ten seconds. */
const swept = async (needles: readonly string[]): Promise<readonly Find[]> => {
  for (const deadline = Date.now() + 10_000; ; ) {
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

/** A signature whose result was fetched, and lies on disk: the test would find it. */
const sign = async (phone: Phone): Promise<Kept> => {
  const signing = await notary.completed(phone);
  const { container } = expectOk(await notary.client.result(signing)) as { container: string };
  const events = disk.events(`result-${signing.sessionId}`);
  expect(events.map((event) => (disk.opened(event) as { container: string }).container)).toEqual([container]);
  const needles = needlesOf(events);
  expect(needles.length).toBeGreaterThan(100);
  expectOnDisk(needles);
  return { signing, needles, container };
};

/** Of Ben, whom nobody erases. */
let later: Kept;

const expectUntouched = async ({ signing, needles, container }: Kept): Promise<void> => {
  expectOnDisk(needles);
  expect(expectOk(await notary.client.result(signing))['container']).toBe(container);
};

describe('the result of a signature', () => {
  let first: Kept;

  beforeAll(async () => {
    first = await sign(await staff.newPhone());
  });

  it('lies on disk encrypted; in plain there is of it the signature value alone, in the record of the session', () => {
    const [confirmed] = disk.events(`session-${first.signing.sessionId}`).filter(({ type }) => type === 'SessionConfirmed');
    const inPlain = disk.finds(spelledPieces(Buffer.from(first.container, 'base64')));
    expect(inPlain).not.toEqual([]);
    expect(inPlain.filter(({ needle }) => !confirmed!.data.includes(needle))).toEqual([]);
  });

  it('stays as long as it can be fetched', async () => {
    await pass(RESULT_RETENTION - 30);
    later = await sign(phoneOfBen);
    await expectUntouched(first);
  });

  it('is gone for everybody after 1800 s, and from every file of DATA_DIR within three minutes more', async () => {
    await pass(30);
    expectError(await notary.client.result(first.signing), 404, 'session_not_found');
    await pass(SWEPT_AFTER);
    expect(await swept(first.needles)).toEqual([]);
  });

  it('takes no other one with it', () => expectUntouched(later));
});

describe('a person who is erased', () => {
  /** Streams in which anything, once it is decrypted, tells who the person is. */
  const streamsNaming = (person: Person): string[] => {
    const { given_name, family_name, personal_code, email, phone_number } = person;
    const search = new Needles([given_name, family_name, personal_code, email!, phone_number!].map((value) => ({ kind: 'personal datum', value })));
    const sealed = disk.events('%').filter(({ data }) => data.includes('"sealed":'));
    expect(sealed.length).toBeGreaterThan(5);
    return sealed.filter((event) => search.in(Buffer.from(JSON.stringify(disk.opened(event)))).length > 0).map(({ stream }) => stream);
  };

  /** Somebody who signs, logs in and is sent a session: all that the service keeps of a person, as it lies on disk. */
  const newcomer = async () => {
    const person = await staff.registerPerson();
    const { identityId } = person;
    const asRegistered = needlesOf(disk.events(`identitydata-${identityId}`));
    expectOnDisk(asRegistered);
    const phone = await staff.phoneOf(person);
    const { signing, needles: ofResult } = await sign(phone);
    const shop = await RelyingParty.register(service);
    const subject_id = await shop.subjectOf(phone);
    expect((await shop.login({ push: true, subject_id })).pushStatus).toBe('DISPATCHED');
    const streams = [`identitydata-${identityId}`, `inbox-${identityId}`, `signinglog-${identityId}`, `subject-${subject_id}`];
    const events = [...streams.map((stream) => disk.events(stream)), disk.events('person-%').filter(({ data }) => data.includes(identityId))];
    expect(events.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
    const needles = [...ofResult, ...needlesOf(events.flat())];
    expectOnDisk(needles);
    return { person, signing, needles: [...asRegistered, ...needles] };
  };

  const erase = async ({ identityId }: Person): Promise<void> => {
    expect((await staff.call('DELETE', `/identities/${identityId}`)).status).toBe(204);
  };

  it('is gone for everybody at once, and from every file within a minute: record, devices, inbox, subject ids, results', async () => {
    const { person: ann, signing, needles } = await newcomer();
    expect(streamsNaming(ann)).toEqual([`identitydata-${ann.identityId}`, `result-${signing.sessionId}`]);
    await erase(ann);
    expectError(await notary.client.result(signing), 404, 'session_not_found');
    expect(streamsNaming(ann)).toEqual([]);
    await pass(60);
    expect(await swept(needles)).toEqual([]);
  });

  it('is gone after the next start when the process was killed before', async () => {
    const { person, needles } = await newcomer();
    await erase(person);
    await service.kill();
    expect(disk.finds(needles)).not.toEqual([]);
    await service.restart();
    expect(await swept(needles)).toEqual([]);
  });

  it('takes nobody else with them', async () => {
    await expectUntouched(later);
    expect((await notary.completed(phoneOfBen)).sessionId).toBeDefined();
  });
});
