import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { Phone } from '#clients/software-phone';
import { WrongExpectedRevision } from '#engines/event-store';
import type { FixedClock, SessionId } from '#kernel';
import { type Application, MovableClock } from '#service/platform';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { fetchFrom } from '#testkit/http/fetch-from';
import { countInstances } from '#testkit/kernel/count-instances';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { testPlatform, type TestPlatform } from '#testkit/platform/test-platform';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createSessionApiApp } from '../../session-api/src/app.js';
import { applications } from '../src/applications.js';

type Class = abstract new (...given: never[]) => object;

/** Each count walks through the whole heap, which takes a second on a quiet machine. Milliseconds. */
const MINUTES = 300_000;

const ROOT = join(import.meta.dirname, '../../..');

/** Where a class may have several objects in a process: it holds nothing, or another thing each. */
const SEVERAL: ReadonlyMap<string, string> = new Map([
  ['AuthorizeLogin', 'one looks at sessions, one at cached statuses'],
  ['GuardedExchange', 'one of each GuardedPost, one of GuardedGet'],
  ['GuardedPost', 'one for webhooks, one for pushes, whose networks are others'],
  ['PartitionTimers', 'one for each kind of deadline'],
  ['ReachableNetworks', 'one for webhooks, one for pushes'],
  ['StreamMemory', 'one for streams that grow, one for the others, which they would displace'],
  ['UnusualCounts', 'one for each kind of count'],
]);

/** Every exported class of the domain, and of the unit of work with its queues and its memory: read from the folders, so that a new class counts. */
const classesOfProcess = async (): Promise<readonly Class[]> => {
  const found = new Set<Class>();
  for await (const file of glob(['libs/domain/*/src/**/*.ts', 'libs/engines/event-store/src/unit-of-work/*.ts'], { cwd: ROOT })) {
    if (file.endsWith('.spec.ts')) continue;
    for (const member of Object.values((await import(join(ROOT, file))) as Record<string, unknown>))
      if (typeof member === 'function' && /^class\b/.test(member.toString()) && !(member.prototype instanceof Error))
        found.add(member as unknown as Class);
  }
  return [...found];
};

describe('a process', () => {
  let classes: readonly Class[];
  let counted: ReadonlyMap<Class, number>;
  const platforms: TestPlatform[] = [];
  const apps: { close(): Promise<unknown> }[] = [];
  let directory: string;
  beforeAll(async () => {
    classes = await classesOfProcess();
    // The prototypes of subclasses.
    counted = countInstances(classes);
    directory = await mkdtemp(join(tmpdir(), 'one-of-each-'));
  }, MINUTES);
  afterAll(async () => {
    for (const platform of platforms) platform.stop();
    for (const app of apps) await app.close();
    for (const platform of platforms) await platform.close();
    await rm(directory, { recursive: true });
  });

  /** The objects that a process makes for these applications. Those of the processes before it stay, so that the difference is its own. */
  const made = async (served: readonly Application[]): Promise<ReadonlyMap<string, number>> => {
    const clock = (await MovableClock.open(join(directory, `${platforms.length}`))) as unknown as FixedClock;
    const platform = await testPlatform({}, { clock });
    platforms.push(platform);
    for (const { create } of served) apps.push(await create(platform));
    const before = counted;
    counted = countInstances(classes);
    const after = counted;
    return new Map(classes.map((one) => [one.name, (after.get(one) ?? 0) - (before.get(one) ?? 0)]));
  };
  const twice = (counts: ReadonlyMap<string, number>): readonly string[] =>
    [...counts].filter(([name, count]) => count > 1 && !SEVERAL.has(name)).map(([name, count]) => `${count} ${name}`);

  it(
    'of all services has one of each repository, use case, queue and memory',
    async () => {
      const counts = await made(applications(loadPlatformSettings({})));
      expect(twice(counts)).toEqual([]);
      expect(counts.get('StreamMemory')).toBe(2);
      const names = ['UnitOfWork', 'Sessions', 'Devices', 'Identities', 'ClientRecords', 'ConfirmSession', 'DeliveryLogs'];
      expect(names.map((name) => counts.get(name))).toEqual(names.map(() => 1));
    },
    MINUTES,
  );

  it(
    'of one service has at most one of each',
    async () => {
      for (const service of applications(loadPlatformSettings({}))) expect(twice(await made([service]))).toEqual([]);
    },
    MINUTES,
  );
});

describe.each(STORE_ENGINES)('forty commands at once over $engine', ({ open }) => {
  it('on one session, through two applications of one process, conflict 0 times', async () => {
    const fixture = await sessionFixture({}, {}, open);
    const { platform, client, identityId } = fixture;
    const [sessionApi, deviceApi] = [await createSessionApiApp(platform), await createDeviceApiApp(platform)];
    const activationCode = (await platform.useCases.phones().issueActivationCode.execute(identityId)).activationCode.reveal();
    const enrolment = { baseUrl: 'http://localhost:3000', activationCode, name: 'Phone', platform: 'test', pin: '1470' };
    const phone = await Phone.enrol(enrolment, { clock: platform.clock, fetch: fetchFrom(deviceApi) });
    const sessionId: SessionId = await fixture.begin(client.clientId);

    const { append, appendTogether } = platform.eventStore;
    let conflicts = 0;
    const counted = async <Result>(work: Promise<Result>): Promise<Result> =>
      work.catch((error: unknown) => {
        if (error instanceof WrongExpectedRevision) conflicts += 1;
        throw error;
      });
    platform.eventStore.append = (...given) => counted(append.apply(platform.eventStore, given));
    platform.eventStore.appendTogether = (...given) => counted(appendTogether.apply(platform.eventStore, given));

    const authorization = `Basic ${btoa(`${client.clientId}:${client.clientSecret.reveal()}`)}`;
    const withdraw = async (): Promise<number> =>
      (await sessionApi.inject({ method: 'DELETE', url: `/relying-party/v1/session/${sessionId}`, headers: { authorization } })).statusCode;
    const scan = async (): Promise<number> => (await phone.scan(sessionId)).status;
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, number) => (number % 2 ? withdraw() : scan())));
    expect([statuses.every((status) => status < 500), conflicts]).toEqual([true, 0]);
    expect((await platform.eventStore.read(`session-${sessionId}` as never)).map(({ type }) => type)).toContain('SessionCancelled');

    platform.stop();
    await Promise.all([sessionApi.close(), deviceApi.close()]);
    await platform.close();
  });
});
