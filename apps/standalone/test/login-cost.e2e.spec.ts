import { withParts } from '#testkit/platform/test-platform';

import { Phone } from '#clients/software-phone';
import { categoryOf, type EventStore, LOSSES, openEventStoreDb, SqliteEventStore, type StreamName, UnitOfWork } from '#engines/event-store';
import { HISTORY_ACCEPTANCES, HISTORY_NOTES } from '#engines/transparency-log';
import { countCalls, type CountedRun, type StoreCalls } from '#testkit/event-store/count-calls';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { fetchFrom } from '#testkit/http/fetch-from';
import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { GuardedHistory } from '#testkit/platform/guarded-history';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { CODE_VERIFIER, LOGIN } from '#testkit/session/login-request';

import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createSessionApiApp } from '../../session-api/src/app.js';

const PIN = '1470';
/** The services of a process share their repositories. */
const ONE_EACH = ['client', 'device', 'identity', 'session', 'subject'].map((category) => [category, 1]);
const REQUESTS = ['create', 'scan', 'confirm', 'completion', 'token'] as const;

interface Cost extends StoreCalls {
  /** Values that were decrypted. */
  readonly opened: number;
}

type Costs = Readonly<Record<(typeof REQUESTS)[number], Cost>>;

/** From now on notes the declarations by which streams are loaded. Each repository of sessions, and each of devices, declares its streams itself. */
const noteTypes = (unitOfWork: UnitOfWork): ReadonlyMap<string, ReadonlySet<object>> => {
  const types = new Map<string, Set<object>>();
  const noted = <Call extends (type: never, stream: never) => unknown>(call: Call): Call =>
    ((type: { readonly category: string }, stream: never) => {
      types.set(type.category, (types.get(type.category) ?? new Set()).add(type));
      return call(type as never, stream);
    }) as unknown as Call;
  unitOfWork.read = noted(unitOfWork.read.bind(unitOfWork));
  unitOfWork.recent = noted(unitOfWork.recent.bind(unitOfWork));
  const run = unitOfWork.run.bind(unitOfWork);
  unitOfWork.run = (work) =>
    run((streams) =>
      work({
        load: noted(streams.load.bind(streams)),
        begin: noted(streams.begin.bind(streams)),
        look: noted(streams.look.bind(streams)),
        recall: noted(streams.recall.bind(streams)),
        onReads: () => streams.onReads(),
      }),
    );
  return types;
};

/** Counts the calls of both stores. */
const countBoth = (one: EventStore, other: EventStore): CountedRun => {
  const [counted, countedOther] = [countCalls(one), countCalls(other)];
  return async (work) => {
    const [[answer, calls], more] = await counted(() => countedOther(work)).then(([inner, outer]) => [inner, outer] as const);
    const sum = (of: keyof StoreCalls): number => calls[of] + more[of];
    return [answer, { reads: sum('reads'), appends: sum('appends'), events: sum('events'), sequential: sum('sequential') }];
  };
};

/** The two services of a login over one store, and logins whose requests are counted one by one. `ofPhones`: the connection of the second service, where it is a process of its own. `counted`: the store whose calls count. */
const loginService = async (eventStore: EventStore, isShared: boolean, ofPhones?: EventStore, counted = eventStore) => {
  const clock = new FixedClock();
  const fixture = await sessionFixture({ eventStore, clock });
  const { client, identityId } = fixture;
  const { settings } = fixture.platform;
  // Replicas of a shared store use a client's record for a second.
  const shared = { settings: { ...settings, esdbUrl: 'esdb://127.0.0.1:2113?tls=false' } };
  const platform = isShared ? withParts(fixture.platform, shared) : fixture.platform;
  const second = ofPhones && withParts(platform, { eventStore: ofPhones, unitOfWork: new UnitOfWork(ofPhones, clock) });
  const [sessionApi, deviceApi] = [await createSessionApiApp(platform), await createDeviceApiApp(second ?? platform)];
  const activationCode = (await platform.useCases.phones().issueActivationCode.execute(identityId)).activationCode.reveal();
  const enrolment = { baseUrl: 'http://localhost:3000', activationCode, name: 'Phone', platform: 'test', pin: PIN };
  const phone = await Phone.enrol(enrolment, { clock, fetch: fetchFrom(deviceApi) });

  const call = async (path: string, payload?: object): Promise<Record<string, string>> => {
    const authorization = `Basic ${btoa(`${client.clientId}:${client.clientSecret.reveal()}`)}`;
    const request = { method: 'POST', url: `/relying-party/v1/session${path}`, headers: { authorization }, ...(payload && { payload }) } as const;
    const answer = await sessionApi.inject(request);
    expect(answer.statusCode).toBe(200);
    return answer.json() as Record<string, string>;
  };
  const types = noteTypes(platform.unitOfWork);
  const count = ofPhones ? countBoth(eventStore, ofPhones) : countCalls(counted);
  const { sealer } = platform;
  const open = sealer.open.bind(sealer);
  let opened = 0;
  sealer.open = ((...given: Parameters<typeof open>) => ((opened += 1), open(...given))) as typeof open;

  return {
    types,
    /** With this time between two requests, in milliseconds. */
    login: async (pause = 0): Promise<Costs> => {
      const measured = async <Answer>(work: () => Promise<Answer>): Promise<readonly [Answer, Cost]> => {
        clock.advance(pause);
        const before = opened;
        const [answer, calls] = await count(work);
        return [answer, { ...calls, opened: opened - before }];
      };
      const [{ sessionId = '' }, create] = await measured(() => call('', LOGIN));
      const [scanned, scan] = await measured(() => phone.scan(sessionId));
      const [confirmed, confirm] = await measured(() => phone.confirm(PIN));
      expect([scanned.status, confirmed.status]).toEqual([200, 200]);
      const [{ redirect = '' }, completion] = await measured(() => call(`/${sessionId}/completion`));
      const code = new URL(redirect).searchParams.get('code');
      const [{ subjectId }, token] = await measured(() => call('/token', { code, code_verifier: CODE_VERIFIER }));
      expect(subjectId).toHaveLength(36);
      return { create, scan, confirm, completion, token };
    },
    close: async () => {
      platform.stop();
      await Promise.all([sessionApi.close(), deviceApi.close()]);
      await fixture.platform.close();
      await ofPhones?.close();
    },
  };
};

const total = (costs: Costs): StoreCalls => {
  const sum = (of: keyof StoreCalls): number => REQUESTS.reduce((so, request) => so + costs[request][of], 0);
  return { reads: sum('reads'), appends: sum('appends'), events: sum('events'), sequential: sum('sequential') };
};

/** The cost of each request, for the log of the run. */
const print = (title: string, costs: Costs): void => {
  const lines = REQUESTS.map((name) => `  ${name} ${JSON.stringify(costs[name])}\n`);
  process.stdout.write(`${title}: ${JSON.stringify(total(costs))}\n${lines.join('')}`);
};

/** The first login of a person at a client links the subjectId and shows the device to the service; then come one at once and one with pauses. */
const logins = async (eventStore: EventStore, isShared: boolean, ofPhones?: EventStore) => {
  const service = await loginService(eventStore, isShared, ofPhones);
  try {
    const costs = { first: await service.login(), next: await service.login(), slow: await service.login(2_000) };
    if (!ofPhones) expect([...service.types].map(([category, types]) => [category, types.size]).sort()).toEqual(ONE_EACH);
    for (const [which, cost] of Object.entries(costs)) print(`${which} login over ${eventStore.constructor.name}`, cost);
    return costs;
  } finally {
    await service.close();
  }
};

/** What the checkpoints and the comparison with them store. */
const HISTORY: readonly string[] = [HISTORY_NOTES, HISTORY_ACCEPTANCES, LOSSES].map(({ category }) => category);

/** The categories of the streams that are read and written from now on. */
const calledCategories = (store: EventStore): ReadonlySet<string> => {
  const categories = new Set<string>();
  const note = (stream: StreamName): void => void categories.add(categoryOf(stream));
  const [read, append, appendTogether] = [store.read.bind(store), store.append.bind(store), store.appendTogether.bind(store)];
  store.read = ((stream: StreamName, ...rest: [never]) => (note(stream), read(stream, ...rest))) as typeof store.read;
  store.append = (stream, ...rest) => (note(stream), append(stream, ...rest));
  store.appendTogether = (appends, ...rest) => (appends.forEach(({ stream }) => note(stream)), appendTogether(appends, ...rest));
  return categories;
};

describe('a login', () => {
  it('costs five transactions on SQLite, one for each request: the right PIN and the confirmation are one', async () => {
    const { first, next } = await logins(new SqliteEventStore({ path: ':memory:', clock: new FixedClock() }), false);
    expect(total(first)).toMatchObject({ appends: 6 });
    expect(REQUESTS.map((request) => next[request].appends)).toEqual([1, 1, 1, 1, 1]);
    // Beside what the store answers from memory without a promise, and what a commit proves.
    expect(total(next).reads).toBe(3);
    expect(REQUESTS.map((request) => next[request].opened)).toEqual([0, 1, 1, 1, 1]);
  });

  it('costs the same where checkpoints lie outside of the store: no append, no read and no leaf for the history', async () => {
    await using history = await GuardedHistory.open(STORE_ENGINES[0]!);
    const { guard, eventStore } = await history.begun(history.raw);
    const service = await loginService(eventStore, false, undefined, history.raw);
    const leaves = async (): Promise<number> => {
      await history.checkpoint();
      await guard.look();
      return guard.known.size;
    };
    try {
      await service.login();
      const before = await leaves();
      expect(before).toBeGreaterThan(0);
      const categories = calledCategories(history.raw);
      const next = await service.login();
      expect(REQUESTS.map((request) => next[request].appends)).toEqual([1, 1, 1, 1, 1]);
      expect(total(next).reads).toBe(3);
      expect([...categories]).toEqual(expect.arrayContaining(['session', 'device']));
      expect([...categories].filter((category) => HISTORY.includes(category))).toEqual([]);
      expect(await leaves()).toBe(before);
      expect(guard.loss).toBeUndefined();
    } finally {
      await service.close();
    }
  });

  it('costs six appends and seven reads on EventStoreDB, and a read more for each request of a client that was silent for a second', async () => {
    const server = await SpawnedTestServer.start();
    try {
      const parts = { clock: new SystemClock(), randomness: new SystemRandomness() };
      const { first, next, slow } = await logins(await openEventStoreDb({ connectionString: server.connectionString, ...parts }), true);
      expect(total(first)).toMatchObject({ appends: 7 });
      expect(total(next)).toEqual({ appends: 6, events: 6, reads: 7, sequential: 9 });
      // Each request begins with the login as this process has left it at the request before.
      expect(REQUESTS.map((request) => next[request].sequential)).toEqual([1, 2, 3, 1, 2]);
      expect(total(slow)).toEqual({ appends: 6, events: 6, reads: 11, sequential: 13 });
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });

  it.each([
    ['23.10', { first: [7, 7, 18], next: [6, 6, 11], slow: [6, 6, 15] }],
    ['26.1', { first: [6, 7, 16], next: [5, 6, 7], slow: [5, 6, 11] }],
  ] as const)('over two services, each a process of its own, costs on a server of %s', async (dialect, costs) => {
    const server = await SpawnedTestServer.start('--dialect', dialect);
    try {
      const open = () =>
        openEventStoreDb({ connectionString: server.connectionString, clock: new SystemClock(), randomness: new SystemRandomness() });
      const { first, next, slow } = await logins(await open(), true, await open());
      // Appends, events, and calls one after the other.
      const found = [first, next, slow].map(total).map(({ appends, events, sequential }) => [appends, events, sequential]);
      expect(found).toEqual([costs.first, costs.next, costs.slow]);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });
});
