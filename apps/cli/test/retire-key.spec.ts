import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fingerprintOf, generateKeyFiles, KeyDirectory, type KeyFileName, listKeys, rotateKey, rotateSubjectKey } from '#service/config';
import { AuthenticatedEventStore, EventMacs, type EventStore, NO_STREAM, openEventStoreDb, SqliteEventStore, streamName } from '#engines/event-store';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { Sealer, SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SilentLog } from '#telemetry';

import { countAccounts } from '../src/store/count-accounts.js';
import { retireKey } from '../src/store/retire-key.js';

const DAY = 86_400_000;
const randomness = new SystemRandomness();

let dataDirectory: string;
let keyDirectory: string;
let clock: FixedClock;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'cli-keys-'));
  keyDirectory = join(dataDirectory, 'keys');
  clock = new FixedClock();
  await generateKeyFiles(keyDirectory, { clock, randomness });
});
afterEach(() => rm(dataDirectory, { recursive: true }));

const sqlite = () => new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock: new SystemClock() });

/** Stores one event that names the current keys of data.json, pin.json and event.json. */
const storeOneEvent = async (opened: EventStore = sqlite()): Promise<void> => {
  using keys = await KeyDirectory.open({ path: keyDirectory, clock, randomness, log: new SilentLog(), guarded: true });
  const store = new AuthenticatedEventStore(opened, {
    macs: new EventMacs(keys.event, 'test'),
    shortened: () => undefined,
    refused: () => undefined,
  });
  const sealed = new Sealer(keys.data, randomness).seal({ name: 'Mari' }, 'context');
  const pin = { proof: { keyId: keys.pin.current().id, mac: 'AA' } };
  await store.append(streamName('device', 'one'), NO_STREAM, [{ type: 'Happened', data: { members: [{ sealed }], pin } }]);
  await store.close();
};
/** Rotates the key, lets its time come, and answers the id of the former key. */
const rotate = async (file: KeyFileName): Promise<string> => {
  const former = (await listKeys(keyDirectory, { clock })).find((key) => key.file === file)?.id ?? '';
  await rotateKey(keyDirectory, file, { clock, randomness });
  clock.advance(20 * 60_000);
  return former;
};
const retire = (file: KeyFileName, id: string, options: { esdbUrl?: string } = {}) =>
  retireKey({ file, id, dataDirectory, keyDirectory, sessionRetention: 30 * 86_400, ...options }, clock);
const idsIn = async (file: KeyFileName) =>
  (JSON.parse(await readFile(join(keyDirectory, `${file}.json`), 'utf8')) as { id: string }[]).map(({ id }) => id);

describe('retiring a key', () => {
  it.each(['data', 'pin', 'event'] as const)('is refused while a stored event names the key of %s.json', async (file) => {
    await storeOneEvent();
    const former = await rotate(file);
    await expect(retire(file, former)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining(`1 stored events name the key ${former}`),
    });
    expect(await idsIn(file)).toContain(former);
  });

  it.each(['data', 'pin', 'event'] as const)('removes a key of %s.json that no stored event names', async (file) => {
    const former = await rotate(file);
    await storeOneEvent();
    await retire(file, former);
    expect(await idsIn(file)).toHaveLength(1);
    expect(await idsIn(file)).not.toContain(former);
  });

  it('is refused while EventStoreDB holds an event that names it', async () => {
    await using server = await SpawnedTestServer.start();
    const esdbUrl = server.connectionString;
    await storeOneEvent(await openEventStoreDb({ connectionString: esdbUrl, clock: new SystemClock(), randomness }));
    const former = await rotate('data');
    await expect(retire('data', former, { esdbUrl })).rejects.toMatchObject({ exitCode: 1 });
    expect(await idsIn('data')).toContain(former);
  });

  it('is refused while a token made under the key may still be valid', async () => {
    const former = await rotate('token');
    await expect(retire('token', former)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('successor is too young') });
    clock.advance(DAY);
    await retire('token', former);
    expect(await idsIn('token')).not.toContain(former);
  });

  it('is refused while the service holds the store', async () => {
    const former = await rotate('data');
    const held = sqlite();
    await expect(retire('data', former)).rejects.toMatchObject({ exitCode: 3 });
    await held.close();
    expect(await idsIn('data')).toContain(former);
  });

  it('is refused for index.json', async () => {
    const [id = ''] = await idsIn('index');
    await expect(retire('index', id)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('cannot be retired') });
  });

  it('is refused for the subject key in use', async () => {
    const [id = ''] = await idsIn('subject');
    await expect(retire('subject', id)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('is the current key') });
  });

  it('is refused for a former subject key until no stored session can name it and the store names the next one', async () => {
    const check = async () => {
      using keys = await KeyDirectory.open({ path: keyDirectory, clock, randomness, log: new SilentLog(), guarded: true });
      const store = sqlite();
      await store.append(streamName('lastingkey', 'subject'), (await store.read(streamName('lastingkey', 'subject'))).at(-1)?.revision ?? NO_STREAM, [
        { type: 'KeyNoted', data: { at: 0, keyId: keys.subject.current().id, fingerprint: fingerprintOf(keys.subject.current().key.reveal()) } },
      ]);
      await store.close();
    };
    await check();
    const [former = ''] = await idsIn('subject');
    await rotateSubjectKey(keyDirectory, { until: clock.now() + 10 * DAY }, { clock, randomness });
    clock.advance(43 * DAY);
    await expect(retire('subject', former)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('stored sessions may name') });
    clock.advance(2 * DAY);
    await expect(retire('subject', former)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('does not name the new key') });
    await check();
    await retire('subject', former);
    expect(await idsIn('subject')).toEqual([expect.not.stringMatching(former)]);
  });
});

describe('the dry run of a rotation of the subject key', () => {
  const link = (clientId: string, identityId: string) => ({ type: 'SubjectLinked', data: { at: 0, clientId, identityId } });

  it('counts each person of a client once, and no released one', async () => {
    const store = sqlite();
    const links = [link('shop', 'mari'), link('shop', 'anna'), link('library', 'mari'), link('shop', 'mari')];
    for (const [index, event] of links.entries()) await store.append(streamName('subject', String(index)), NO_STREAM, [event]);
    await store.append(streamName('subject', '4'), NO_STREAM, [link('shop', 'erased')]);
    await store.append(streamName('subject', '4'), 0, [{ type: 'SubjectReleased', data: {} }]);
    await store.close();
    expect(await countAccounts({ dataDirectory })).toEqual(
      new Map([
        ['shop', 2],
        ['library', 1],
      ]),
    );
  });

  it('is refused while the service holds the store', async () => {
    const held = sqlite();
    await expect(countAccounts({ dataDirectory })).rejects.toMatchObject({ exitCode: 3 });
    await held.close();
  });
});
