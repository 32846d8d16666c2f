import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { InvalidSettings, loadPlatformSettings } from '#service/config';
import { type EventStore, NO_STREAM } from '#engines/event-store';
import { type KeyRing, Secret, ServiceUnavailable } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import { DIALECTS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { GrpcTestServer } from '#testkit/event-store/eventstoredb/grpc-test-server/test-server';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { Metrics, SilentLog } from '#telemetry';

import { authenticate } from './authenticate.js';
import { openPlatform } from './open-platform.js';
import { StoreEnvironment } from './store-environment.js';
import { STORE_ENVIRONMENT } from './streams.js';

const GOLDEN = JSON.parse(await readFile(new URL('environment.events.v1.json', import.meta.url), 'utf8')) as unknown;
const STREAM = STORE_ENVIRONMENT.of('store');
const DIFFERS = (own: string, noted: string): string => `ENVIRONMENT is ${own}, but this store was begun as ${noted}`;

const clock = new FixedClock();
const ring = (id: string): KeyRing => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);

/** Undefined when the attempt succeeds. */
const problemsOf = async (attempt: Promise<unknown>): Promise<readonly string[] | undefined> => {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSettings);
    return (error as InvalidSettings).problems;
  }
};

describe.each(STORE_ENGINES)('over $engine', ({ open }) => {
  let raw: EventStore;
  beforeEach(async () => (raw = await open(clock)));
  afterEach(() => raw.close());

  /** The store as a process of the environment has it. */
  const storeOf = (environment: string, eventKeys = ring('event')): EventStore =>
    authenticate(raw, { environment, eventKeys, log: new SilentLog(), metrics: new Metrics() });
  /** Of a process that starts: it remembers nothing. */
  const start = (environment: string, eventKeys?: KeyRing): Promise<void> =>
    new StoreEnvironment(storeOf(environment, eventKeys), { environment, esdbUrl: 'esdb://shared' }, clock).check();
  const stored = async () => (await raw.read(STREAM)).map(({ type, data }) => ({ type, data }));

  describe('the environment of a store', () => {
    it('is noted by the first process, once, as the golden fixture has it', async () => {
      await start('test');
      await start('test');
      expect(await stored()).toEqual(GOLDEN);
    });

    it('ends a process of another one, which stores nothing', async () => {
      await start('production');
      expect(await problemsOf(start('staging'))).toEqual([
        `${DIFFERS('staging', 'production')}, and a store has one environment for ever. Set ENVIRONMENT to production, or ESDB_URL to a store of staging.`,
      ]);
      expect(await stored()).toHaveLength(1);
    });

    it('is one only, when processes of two environments begin the store at the same instant', async () => {
      const environments = Array.from({ length: 12 }, (_, place) => (place % 2 === 0 ? 'production' : 'staging'));
      const started = await Promise.all(environments.map((environment) => problemsOf(start(environment))));
      const [noted] = await stored();
      const winner = (noted?.data as { environment: string }).environment;
      expect(await stored()).toHaveLength(1);
      for (const [place, environment] of environments.entries()) {
        if (environment === winner) expect(started[place]).toBeUndefined();
        else expect(started[place]).toEqual([expect.stringContaining(DIFFERS(environment, winner))]);
      }
    });

    it('is asked for again after a failure, and never after a success', async () => {
      const store = storeOf('test');
      const read = store.read.bind(store);
      let [reads, fails] = [0, true];
      store.read = (...parameters) => {
        reads += 1;
        return fails ? Promise.reject(new ServiceUnavailable('not available')) : (read(...parameters) as never);
      };
      const environment = new StoreEnvironment(store, { environment: 'test' }, clock);
      await expect(environment.check()).rejects.toThrow('not available');
      fails = false;
      await environment.check();
      await environment.check();
      expect(reads).toBe(2);
    });
  });

  describe('an intruder who may write to the store', () => {
    const forged = [{ type: 'EnvironmentNoted', data: { at: 0, environment: 'elsewhere' }, metadata: { v: 1 } }];

    it('stops no process by a note without a MAC', async () => {
      await raw.append(STREAM, NO_STREAM, forged);
      expect(await problemsOf(start('test'))).toBeUndefined();
    });

    it('changes nothing by a note after the first one', async () => {
      await start('test');
      await raw.append(STREAM, 0, forged);
      expect(await problemsOf(start('test'))).toBeUndefined();
      expect(await problemsOf(start('staging'))).toEqual([expect.stringContaining(DIFFERS('staging', 'test'))]);
    });
  });

  it('a process without the event keys of the store ends, since it could read nothing of it', async () => {
    await start('production', ring('of-production'));
    expect(await problemsOf(start('staging', ring('of-staging')))).toEqual([
      expect.stringMatching(/^KEY_DIR: event\.json holds no key of the service that began this store.*ESDB_URL.*\(ENVIRONMENT staging\)\.$/),
    ]);
  });
});

describe('a service', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'store-environment-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const open = (environment: Readonly<Record<string, string>>) =>
    openPlatform(loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', ...environment }));
  const close = async (opened: ReturnType<typeof open>): Promise<void> => {
    const platform = await opened;
    platform.stop();
    await platform.close();
  };

  it('does not start on the data of another environment, and starts again in the former one', async () => {
    await close(open({ ENVIRONMENT: 'test' }));
    expect(await problemsOf(open({}))).toEqual([
      expect.stringMatching(`^${DIFFERS('development', 'test')}.* DATA_DIR to a store of development\\.$`),
    ]);
    await close(open({ ENVIRONMENT: 'test' }));
  });

  it.each(DIALECTS)('is never ready over a server of %s of another environment that answers after the start only', async (dialect) => {
    const folder = join(directory, 'store');
    const first = await GrpcTestServer.start({ folder, dialect });
    const { connectionString: ESDB_URL, port } = first;
    await close(open({ ESDB_URL, ENVIRONMENT: 'test' }));
    first.stop();
    const platform = await open({ ESDB_URL });
    const isReady = (): Promise<boolean> =>
      platform.readiness.get('event-store')!().then(
        () => true,
        () => false,
      );
    expect(await isReady()).toBe(false);
    const server = await GrpcTestServer.start({ folder, port, dialect });
    expect(await platform.failed).toMatchObject({ problems: [expect.stringContaining(DIFFERS('development', 'test'))] });
    expect(await isReady()).toBe(false);
    platform.stop();
    await platform.close();
    server.stop();
  });
});
