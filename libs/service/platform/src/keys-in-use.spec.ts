import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FileSubjectKeys, InvalidSettings, loadPlatformSettings } from '#service/config';
import { type EventStore, SqliteEventStore, streamName } from '#engines/event-store';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { type RingKey, Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { OneSubjectKey } from '#testkit/kernel/one-subject-key';

import { KeysInUse } from './keys-in-use.js';
import { openPlatform } from './open-platform.js';

const PERSON = { givenName: 'Mari', familyName: 'Maasikas', dateOfBirth: '1971-01-01', country: 'EE', personalCode: '47101010033' };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keys-in-use-'));
});
afterEach(() => rm(directory, { recursive: true }));

const file = (name: string): string => join(directory, 'keys', `${name}.json`);
const open = (environment: Record<string, string> = {}) =>
  openPlatform(loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', ...environment }));
/** Starts a service, registers the person and stops it. */
const register = async (environment: Record<string, string> = {}) => {
  const platform = await open(environment);
  try {
    return await platform.useCases.identity().registerIdentity.execute(PERSON);
  } finally {
    platform.stop();
    await platform.close();
  }
};
/** Puts another key into the file, under the same id. */
const exchange = async (name: string): Promise<void> => {
  const [entry] = JSON.parse(await readFile(file(name), 'utf8')) as [object];
  await writeFile(file(name), JSON.stringify([{ ...entry, key: Buffer.alloc(32, name).toString('base64') }]));
};
const clock = new FixedClock();
const ringKey = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const closing = (opened: EventStore) => ({ opened, [Symbol.asyncDispose]: () => opened.close() });
const problemsOf = async (attempt: Promise<unknown>): Promise<readonly string[]> => {
  const error: unknown = await attempt.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidSettings);
  return (error as InvalidSettings).problems;
};

describe('a start with an exchanged key', () => {
  it('is refused with one line that names the file and the remedy, so that no person registers twice', async () => {
    await register();
    await exchange('index');
    const problems = await problemsOf(register());
    expect(problems).toEqual([
      expect.stringMatching(/^KEY_DIR: index\.json holds another key .* register twice\. Put the former index\.json back.*$/),
    ]);
    expect(problems.join()).not.toContain(Buffer.alloc(32, 'index').toString('base64'));
  });

  it('is refused for the key of subjectIds too', async () => {
    await register();
    await exchange('subject');
    expect(await problemsOf(open())).toEqual([expect.stringContaining('subject.json holds another key')]);
  });

  it('succeeds again with the former key, and finds the person registered', async () => {
    await register();
    const former = await readFile(file('index'), 'utf8');
    await exchange('index');
    await problemsOf(open());
    await writeFile(file('index'), former);
    await expect(register()).rejects.toMatchObject({ code: 'identity_exists' });
  });

  it('is refused when index.json was lost', async () => {
    await register();
    await rm(file('index'));
    expect(await problemsOf(open())).toEqual([expect.stringContaining('index.json holds another key')]);
  });
});

describe('a start in another environment', () => {
  it('is refused for the environment, before any key is compared', async () => {
    await register();
    await exchange('index');
    expect(await problemsOf(open({ ENVIRONMENT: 'test' }))).toEqual([expect.stringMatching(/^ENVIRONMENT is test, .* begun as development,/)]);
  });
});

describe('a start over EventStoreDB', () => {
  it('is refused with an exchanged key', async () => {
    await using server = await SpawnedTestServer.start();
    const environment = { ESDB_URL: server.connectionString };
    await register(environment);
    await exchange('index');
    expect(await problemsOf(open(environment))).toEqual([expect.stringContaining('index.json holds another key')]);
  });
});

describe('the keys of a store', () => {
  it('are asked for again after a failure, and once only after a success', async () => {
    const store = new SqliteEventStore({ path: ':memory:', clock });
    const read = store.read.bind(store);
    let [reads, fails] = [0, true];
    store.read = (...parameters) => {
      reads += 1;
      return fails ? Promise.reject(new Error('not available')) : (read(...parameters) as never);
    };
    const keys = new KeysInUse(store, { subject: new OneSubjectKey(ringKey('subject')), index: ringKey('index') }, clock);
    await expect(keys.check()).rejects.toThrow('not available');
    fails = false;
    await keys.check();
    const after = reads;
    await keys.check();
    expect(reads).toBe(after);
    await store.close();
  });
});

describe('a store whose subject key is rotated', () => {
  const clocks = () => new FixedClock();
  const dated = (id: string, notBefore: number, acceptedUntil?: number) => ({
    ...ringKey(id),
    notBefore,
    development: false,
    ...(acceptedUntil !== undefined && { acceptedUntil }),
  });
  const rotation = (time: FixedClock) => [dated('old', 0, time.now() + 5_000), dated('new', time.now() + 1_000)];
  const opened = async () => {
    const time = clocks();
    const store = new SqliteEventStore({ path: ':memory:', clock: time });
    const start = (keys: Parameters<FileSubjectKeys['replace']>[0]) =>
      new KeysInUse(store, { subject: new FileSubjectKeys(keys, time), index: ringKey('index') }, time);
    const notes = async () =>
      (await store.read<{ type: 'KeyNoted'; data: { keyId: string } }>(streamName('lastingkey', 'subject'))).map(({ data }) => data.keyId);
    await start([dated('old', 0)]).check();
    return { time, store, start, notes };
  };

  it('notes the new key once, when it begins, and takes it alone from then on', async () => {
    const { time, store, start, notes } = await opened();
    await using _ = closing(store);
    const [running, other] = [start(rotation(time)), start(rotation(time))];
    await Promise.all([running.check(), other.check()]);
    expect(await notes()).toEqual(['old']);
    time.advance(1_000);
    await Promise.all([running.check(), other.check()]);
    expect(await notes()).toEqual(['old', 'new']);
    await start([dated('new', 0)]).check();
    expect(await problemsOf(start([dated('old', 0)]).check())).toEqual([expect.stringContaining('subject.json holds another key (old)')]);
    expect(await problemsOf(start([dated('foreign', 0)]).check())).toEqual([expect.stringContaining('subject.json holds another key (foreign)')]);
  });

  it('takes a rotation back that has not begun', async () => {
    const { time, store, start } = await opened();
    await using _ = closing(store);
    await start(rotation(time)).check();
    await start([dated('old', 0)]).check();
  });

  it('refuses a rotation of another installation', async () => {
    const { time, store, start, notes } = await opened();
    await using _ = closing(store);
    time.advance(2_000);
    const foreign = start([dated('foreign', 0, time.now() + 5_000), dated('next', 1)]);
    expect(await problemsOf(foreign.check())).toEqual([expect.stringContaining('subject.json holds another key (next)')]);
    expect(await notes()).toEqual(['old']);
  });

  it('accepts a process whose clock is behind, when another one has noted the new key', async () => {
    const { time, store, start, notes } = await opened();
    await using _ = closing(store);
    const keys = rotation(time);
    time.advance(1_000);
    await start(keys).check();
    time.advance(-2_000);
    await start(keys).check();
    expect(await notes()).toEqual(['old', 'new']);
  });

  it('notes the new key at the next check when a crash prevented it', async () => {
    const { time, store, start, notes } = await opened();
    await using _ = closing(store);
    const keys = rotation(time);
    time.advance(1_000);
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('the process is killed'));
    await expect(start(keys).check()).rejects.toThrow('killed');
    store.append = append;
    await start(keys).check();
    expect(await notes()).toEqual(['old', 'new']);
  });
});
