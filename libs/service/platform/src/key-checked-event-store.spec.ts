import { type InvalidSettings, loadPlatformSettings } from '#service/config';
import { type EventStore, ForwardingEventStore, NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { type RingKey, Secret, ServiceUnavailable } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { OneSubjectKey } from '#testkit/kernel/one-subject-key';
import { eventually } from '#testkit/kernel/eventually';
import { SilentLog } from '#telemetry';

import { withCheckedKeys } from './key-checked-event-store.js';
import { KeysInUse } from './keys-in-use.js';
import type { PlatformKeys } from './platform-parts.js';
import { StoreEnvironment } from './store-environment.js';

const clock = new FixedClock();
const settings = loadPlatformSettings({ ESDB_URL: 'esdb://127.0.0.1:1?tls=false' });
const ringKey = (id: string): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) });
const keys = (index: string) => ({ subject: new OneSubjectKey(ringKey('subject')), index: ringKey(index) }) as unknown as PlatformKeys;
const stream = streamName('device', 'one');

/** A store that is not available at the start of the service. */
class LateStore extends ForwardingEventStore {
  available = false;

  /** The store itself, which is always available. */
  get inner(): EventStore {
    return this.store;
  }

  override read(...parameters: Parameters<SqliteEventStore['read']>) {
    return this.available ? (this.store.read(...parameters) as never) : Promise.reject(new ServiceUnavailable('not available'));
  }

  override exists(...parameters: Parameters<SqliteEventStore['exists']>) {
    return this.available ? this.store.exists(...parameters) : Promise.reject(new ServiceUnavailable('not available'));
  }
}

let store: LateStore;
let refusals: InvalidSettings[];
let pauses: PromiseWithResolvers<void>[];
beforeEach(async () => {
  const opened = new SqliteEventStore({ path: ':memory:', clock });
  await new KeysInUse(opened, keys('former'), clock).check();
  await opened.append(stream, NO_STREAM, [{ type: 'DeviceEnrolled', data: {} }]);
  store = new LateStore(opened);
  [refusals, pauses] = [[], []];
});
afterEach(() => store.close());

const start = (index: string) =>
  withCheckedKeys(store, settings, {
    keys: keys(index),
    clock,
    log: new SilentLog(),
    refused: (error) => refusals.push(error),
    pause: () => {
      const pause = Promise.withResolvers<void>();
      pauses.push(pause);
      return pause.promise;
    },
  });

describe('a service with another index.json, over a store that answers after the start only', () => {
  it('ends with the line that names the file and the remedy, without a request', async () => {
    await start('other');
    await eventually(() => pauses.length === 1);
    expect(refusals).toEqual([]);
    store.available = true;
    pauses[0]?.resolve();
    await eventually(() => refusals.length > 0);
    expect(refusals).toEqual([
      expect.objectContaining({ problems: [expect.stringMatching(/^KEY_DIR: index\.json holds another key .*Put the former/)] }),
    ]);
  });

  it('stores nothing and erases nothing until it ends', async () => {
    const checked = await start('other');
    await eventually(() => pauses.length === 1);
    store.available = true;
    const attempts = [
      checked.append(stream, 0, [{ type: 'PinAccepted', data: {} }]),
      checked.appendTogether([{ stream, expected: 0, events: [{ type: 'PinAccepted', data: {} }] }]),
      checked.tombstone(stream),
      checked.truncateBefore(stream, 0),
      checked.setRetention(stream, { maxAge: 1 }),
      checked.check(),
    ];
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
    expect(await store.read(stream)).toHaveLength(1);
    expect(refusals).toHaveLength(1);
  });
});

describe('a service of another environment, over a store that answers after the start only', () => {
  it('ends with both names, and its keys are not looked at', async () => {
    await new StoreEnvironment(store.inner, { environment: 'production' }, clock).check();
    const checked = await start('other');
    await eventually(() => pauses.length === 1);
    store.available = true;
    await expect(checked.check()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(refusals).toEqual([
      expect.objectContaining({ problems: [expect.stringMatching(/^ENVIRONMENT is development, .* begun as production,/)] }),
    ]);
  });
});

describe('a service with the keys of the store', () => {
  it('goes on once the store answers', async () => {
    const checked = await start('former');
    await eventually(() => pauses.length === 1);
    await expect(checked.tombstone(stream)).rejects.toThrow(ServiceUnavailable);
    store.available = true;
    await checked.append(stream, 0, [{ type: 'PinAccepted', data: {} }]);
    await checked.tombstone(stream);
    expect(refusals).toEqual([]);
  });
});
