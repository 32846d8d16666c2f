import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { Phone } from '#clients/software-phone';
import { WrongExpectedRevision } from '#engines/event-store';
import type { SessionId } from '#kernel';
import type { FixedClock } from '#testkit/kernel/fixed-clock';
import { type Application, MovableClock } from '#service/platform';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { fetchFrom } from '#testkit/http/fetch-from';
import { countInstances } from '#testkit/kernel/count-instances';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { testPlatform, type TestPlatform } from '#testkit/platform/test-platform';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createSessionApiApp } from '../../session-api/src/app.js';
import { applications } from '../src/applications.js';
import { type Class, classesIn, DECIDING, SEVERAL, twice } from './process-classes.js';

/** Each count walks through the whole heap, which takes a second on a quiet machine. Milliseconds. */
const MINUTES = 300_000;

describe('a process', () => {
  let classes: readonly Class[];
  let counted: ReadonlyMap<Class, number>;
  const platforms: TestPlatform[] = [];
  const apps: { close(): Promise<unknown> }[] = [];
  let directory: string;
  beforeAll(async () => {
    classes = await classesIn(DECIDING);
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

  it(
    'of one service has at most one of each',
    async () => {
      for (const service of applications(loadPlatformSettings({}))) expect(twice(await made([service]), SEVERAL)).toEqual([]);
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
