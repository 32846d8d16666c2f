import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LossRequests } from '#domain/administration';
import { type EventStore, ForwardingEventStore, NO_STREAM, SqliteEventStore, streamName, UnitOfWork } from '#engines/event-store';
import { findLoss, type HistoryGuard, HistoryPass, readAcceptances } from '#engines/transparency-log';
import { type KeyRing, once, type Pause, Secret } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';
import {
  anchorsOf,
  authenticate,
  GUARDED_EVENTS,
  openCheckpointWriter,
  openHistoryGuard,
  STREAMS,
  truncatedBefore,
  useCasesOf,
} from '#service/platform';
import { Metrics, SilentLog } from '#telemetry';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS } from '../src/admin-rights.js';
import { CLIENT, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const DAY = 24 * 3_600_000;
const signal = new AbortController().signal;
const ring = (id: string): KeyRing => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);

/** A store that becomes another one. */
class ReplacedStore extends ForwardingEventStore {
  #replaced = 0;

  constructor(private current: EventStore) {
    super(
      new Proxy(current, {
        get: (_, name) => {
          const member: unknown = Reflect.get(this.current, name);
          return typeof member === 'function' ? (member.bind(this.current) as unknown) : member;
        },
      }),
    );
  }

  override get continuity(): number {
    return this.#replaced;
  }

  replaceBy(other: EventStore): void {
    this.current = other;
    this.#replaced += 1;
  }
}

describe('a registry over a store that has lost guarded events', () => {
  let directory: string;
  let clock: FixedClock;
  let store: ReplacedStore;
  let opened: EventStore;
  let guarding: NonNullable<ReturnType<typeof openHistoryGuard>>;
  let guard: HistoryGuard;
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let unguarded: () => ReturnType<typeof useCasesOf>;
  let security: PersonWithPhone[];
  const stores: EventStore[] = [];

  const newStore = (): SqliteEventStore => {
    const made = new SqliteEventStore({ path: ':memory:', clock });
    stores.push(made);
    return made;
  };
  /** The store as a process sees it that begins now. */
  const authenticated = (): EventStore =>
    authenticate(store, { environment: 'development', eventKeys: ring('event'), log: new SilentLog(), metrics: new Metrics() });
  /** Another store with what the first one has now. */
  const copyOf = async (): Promise<EventStore> => {
    const copy = newStore();
    const ended = new AbortController();
    for await (const item of store.subscribe({ categories: STREAMS.map(({ category }) => category), signal: ended.signal })) {
      if (item === 'caught-up') break;
      const { stream, revision, type, data, id, metadata } = item;
      await copy.append(stream, revision === 0 ? NO_STREAM : revision - 1, [{ type, data, metadata: metadata! }], { ids: [id] });
    }
    ended.abort();
    return copy;
  };
  const checkpoint = (): Promise<void> => openCheckpointWriter({ ...registry.platform, keys, eventStore: opened })!.write(signal);
  const keys = { checkpoint: ring('checkpoint') } as never;
  const register = async (): Promise<number> =>
    (await registry.call('POST', '/clients', { ...CLIENT, name: `Shop ${registry.platform.randomness.uuid()}` })).status;

  beforeEach(async () => {
    clock = new FixedClock();
    directory = await mkdtemp(join(tmpdir(), 'anchor-'));
    store = new ReplacedStore(newStore());
    const [log, metrics] = [new SilentLog(), new Metrics()];
    opened = authenticated();
    const settings = { environment: 'development', anchorDirectory: directory } as never;
    guarding = openHistoryGuard({ settings, keys, log, metrics, eventStore: opened, pause: async () => undefined })!;
    guard = guarding.guard;
    const platform = await testPlatform({ ANCHOR_DIR: directory }, { clock, eventStore: guarding.eventStore, historyGuard: guard });
    unguarded = once(() => useCasesOf({ ...platform, eventStore: opened, unitOfWork: new UnitOfWork(opened, clock) }));
    registry = await registryFixture({ ...platform, unguarded });
    security = [await registry.newPerson(), await registry.newPerson(), await registry.newPerson()];
    for (const person of security) await registry.member({ roles: ['security'] }, person);
    await guard.look();
  });
  afterEach(async () => {
    await registry.close();
    for (const one of stores.splice(0)) await one.close();
    await rm(directory, { recursive: true });
  });

  /** Brings a copy from before the last change back. */
  const restoreOlder = async (change = register as () => Promise<unknown>): Promise<void> => {
    await checkpoint();
    const older = await copyOf();
    await change();
    await checkpoint();
    store.replaceBy(older);
    await guard.look();
  };
  /** As the command does, on a machine with the keys. */
  const ask = async (): Promise<void> => {
    const { logs } = anchorsOf({ settings: registry.platform.settings, keys })!;
    const found = await findLoss(
      { store: authenticated(), logs, guarded: GUARDED_EVENTS, truncatedBefore: (stream) => truncatedBefore(stream.split('-', 1)[0]!) },
      signal,
    );
    const { extensions, ...loss } = found!;
    await new LossRequests(new UnitOfWork(opened, clock)).handle({
      type: 'AskLossAcceptance',
      asked: { ...loss, security: extensions, requestId: registry.platform.randomness.uuid() },
    });
  };
  const watch = async (): Promise<void> => {
    await unguarded().administration().watchLossAcceptance.execute();
    await guard.look();
  };
  /** Who was asked last, and what. */
  const told = async () => {
    const events = await opened.read(streamName('historyrequest', 'all'));
    return events.findLast(({ type }) => type === 'LossAcceptanceTold')?.data as {
      question: string;
      told: { sessionId: string; identityId: string }[];
    };
  };
  const confirm = async (person: PersonWithPhone): Promise<void> => {
    const { sessionId } = (await told()).told.find(({ identityId }) => identityId === person.identityId)!;
    await registry.approveWithoutPage(sessionId, person.deviceId);
  };

  it('answers 503 to all of its routes but the look at the break-glass, after 401', async () => {
    await restoreOlder();
    expect(guard.loss?.reason).toMatch(/older copy/);
    const routes = Object.keys(ADMIN_RIGHTS);
    const answered: string[] = [];
    for (const route of routes) {
      const [method, pattern] = route.split(' ') as ['GET', string];
      const path = pattern.replace('/admin/v1', '').replace(/:\w+/g, '00000000-0000-4000-8000-000000000000');
      const { status } = await registry.send(method, path, method === 'GET' ? undefined : {});
      // What only persons may call is refused to the token.
      if (status !== 503 && status !== 403) answered.push(route);
    }
    expect(routes.length).toBeGreaterThan(50);
    // A stop is entered in the trail, which lacks entries here; the phones of the staff stop a break-glass without it.
    expect(answered).toEqual(['GET /admin/v1/break-glass']);
    expect((await registry.send('GET', '/audit', undefined, { authorization: 'Bearer wrong' })).status).toBe(401);
  });

  it('goes on once two persons with security have accepted the loss, and publishes what comes after it', async () => {
    await restoreOlder();
    await ask();
    await watch();
    expect(await told()).toMatchObject({ question: 'accept' });
    await confirm(security[0]!);
    await watch();
    expect([await readAcceptances(opened), await register()]).toEqual([[], 503]);
    await confirm(security[1]!);
    await watch();
    expect(await readAcceptances(opened)).toMatchObject([{ by: security.slice(0, 2).map(({ identityId }) => identityId) }]);
    expect([guard.loss, await register()]).toEqual([undefined, 201]);
    await checkpoint();
    await guard.look();
    expect(guard.loss).toBeUndefined();
    // Another process, and a later loss, are judged by the history after the acceptance.
    const size = guard.known.size;
    await restoreOlder();
    expect([guard.known.size > size, guard.loss !== undefined]).toEqual([true, true]);
  });

  const pass = (pause: Pause = async () => undefined): Promise<void> =>
    new HistoryPass({ store: guarding.eventStore, guard, guarded: GUARDED_EVENTS, pause }).run(signal);
  /** Everything but the look at which the service goes on. */
  const acceptOnPhones = async (): Promise<void> => {
    await ask();
    await watch();
    for (const person of security.slice(0, 2)) await confirm(person);
  };

  it('does not wait for the next pass over all leaves where one has found the loss before, or is under way', async () => {
    await restoreOlder();
    await pass();
    await acceptOnPhones();
    await watch();
    expect([guard.loss, await register()]).toEqual([undefined, 201]);

    await restoreOlder();
    await acceptOnPhones();
    await pass(once(watch));
    expect(await readAcceptances(opened)).toHaveLength(2);
    expect([guard.loss, await register()]).toEqual([undefined, 201]);
    await pass();
    expect(guard.loss).toBeUndefined();
  });

  it('does not count a person who had no security at the newest checkpoint: one that the older copy brings back', async () => {
    const [first, second, removed] = security as [PersonWithPhone, PersonWithPhone, PersonWithPhone];
    const members = registry.platform.useCases.administration().portalMembers;
    await restoreOlder(async () => {
      await members.removePerson(removed.identityId);
      await members.removePerson(second.identityId);
      await members.removePerson(first.identityId);
      await registry.member({ roles: ['security'] }, first);
    });
    await ask();
    await watch();
    // Only one person is in both: the phones can stop it, and none can accept it.
    expect(await told()).toMatchObject({ question: 'stop' });
    await confirm(removed);
    await watch();
    clock.advance(2 * DAY);
    await watch();
    expect([await readAcceptances(opened), await register()]).toEqual([[], 503]);
  });

  it('waits where the two persons are not two humans: one of them has just enrolled the phone of the other', async () => {
    const [first, ...others] = security as [PersonWithPhone, ...PersonWithPhone[]];
    const members = registry.platform.useCases.administration().portalMembers;
    await members.removePerson(others[1]!.identityId);
    const identityId = (await registry.identity()) as PersonWithPhone['identityId'];
    const issued = await registry.call('POST', `/identities/${identityId}/activation-codes`, undefined, await registry.session(first));
    const { deviceId } = await registry.enrol(String(issued.body['activationCode']));
    await registry.member({ roles: ['security'] }, { identityId, subjectId: await registry.subjectOf(identityId), deviceId });
    await restoreOlder(async () => members.removePerson(others[0]!.identityId));
    await ask();
    await watch();
    expect(await told()).toMatchObject({ question: 'stop' });
    clock.advance(DAY);
    await watch();
    expect(await readAcceptances(opened)).toMatchObject([{ by: ['wait'] }]);
  });

  it('goes on after the waiting time where no two persons can accept it', async () => {
    for (const person of security) await registry.platform.useCases.phones().revokeDevice.execute(person.identityId, person.deviceId);
    await restoreOlder();
    await ask();
    await watch();
    clock.advance(DAY - 1);
    await watch();
    expect(guard.loss).toBeDefined();
    clock.advance(1);
    await watch();
    expect(await readAcceptances(opened)).toMatchObject([{ by: ['wait'] }]);
    expect([guard.loss, await register()]).toEqual([undefined, 201]);
  });
});
