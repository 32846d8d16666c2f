import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, NO_STREAM, openEventStoreDb, SqliteEventStore, streamName } from '#event-store';
import { SpawnedTestServer } from '#event-store/testing';
import { SystemClock, SystemRandomness } from '#kernel';

import { noteUpgrade } from '../src/store/note-upgrade.js';

const stream = streamName('session', 'one');

let dataDirectory: string;
let keyDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'cli-store-'));
  keyDirectory = join(dataDirectory, 'keys');
  await mkdir(keyDirectory);
});
afterEach(() => rm(dataDirectory, { recursive: true }));

/** Appends an event and answers its position. */
const append = async (store: EventStore): Promise<bigint | undefined> => {
  await store.append(stream, NO_STREAM, [{ type: 'Happened', data: {} }]);
  const position = (await store.read(stream))[0]?.position;
  await store.close();
  return position;
};
const noted = () => readFile(join(keyDirectory, 'events-without-mac.json'), 'utf8');

describe('noting the end of an upgrade', () => {
  it('notes the last position of the SQLite file, also in the place of "upgrade"', async () => {
    const position = await append(new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock: new SystemClock() }));
    await writeFile(join(keyDirectory, 'events-without-mac.json'), '{"until": "upgrade"}');
    const { until } = await noteUpgrade({ dataDirectory, keyDirectory });
    expect(until).toBe(String(position));
    expect(JSON.parse(await noted())).toEqual({ until });
  });

  it('notes the last position of EventStoreDB', async () => {
    await using server = await SpawnedTestServer.start();
    const esdbUrl = server.connectionString;
    const position = await append(
      await openEventStoreDb({ connectionString: esdbUrl, clock: new SystemClock(), randomness: new SystemRandomness() }),
    );
    expect(await noteUpgrade({ dataDirectory, keyDirectory, esdbUrl })).toMatchObject({ until: String(position) });
  });

  it('is refused a second time: later events have to carry a MAC', async () => {
    await noteUpgrade({ dataDirectory, keyDirectory });
    await expect(noteUpgrade({ dataDirectory, keyDirectory })).rejects.toMatchObject({ exitCode: 1 });
    expect(JSON.parse(await noted())).toEqual({ until: '0' });
  });

  it('names a connection string that is none, and notes nothing', async () => {
    const options = { dataDirectory, keyDirectory };
    await expect(noteUpgrade({ ...options, esdbUrl: 'esdb://' })).rejects.toMatchObject({ exitCode: 2 });
    await expect(noted()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
