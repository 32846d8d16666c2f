import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generateKeyFiles, KeyDirectory, type KeyFileName, listKeys, rotateKey } from '#config';
import { AuthenticatedEventStore, EventMacs, type EventStore, NO_STREAM, openEventStoreDb, SqliteEventStore, streamName } from '#event-store';
import { SpawnedTestServer } from '#event-store/testing';
import { FixedClock, Sealer, SystemClock, SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

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
  retireKey({ file, id, dataDirectory, keyDirectory, ...options }, clock);
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

  it.each(['subject', 'index'] as const)('is refused for %s.json', async (file) => {
    const [id = ''] = await idsIn(file);
    await expect(retire(file, id)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('cannot be retired') });
  });
});
