import { afterEach, beforeEach, expect, it } from '@jest/globals';

import type { EventStore } from '#engines/event-store';
import type { SessionId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import type { CloudEvent } from '#engines/message-bus';
import type { Projections } from '#engines/read-model';
import { Metrics } from '#telemetry';

import { type SessionFacts, SessionPublication } from '#domain/session';
import { sessionStream } from '#domain/session';
import { countStoreCalls } from '../count-store-calls.js';
import { PARTITIONS, partitionOf, startTimerReplica, type TimerReplica } from '../timer-replica.js';
import { useCaseFixture } from '../use-case-fixture.js';

export interface SessionTimersSubject {
  /** A new empty database. */
  make(): Promise<void>;
  /** The read models of one process, over the database. The contract closes them. */
  open(fixture: ReturnType<typeof useCaseFixture>): Projections;
  /** The number of statements that all processes have made so far, by kind and table. */
  readonly statements: Map<string, number>;
  remove(): Promise<void>;
}

type Message = CloudEvent<SessionFacts>;
const DAY = 86_400_000;

/** Session timers on one database: any number of processes, of which the bus gives each partition to one. */
export const sessionTimersContract = (subject: SessionTimersSubject): void => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let stopping: AbortController;
  let opened: Set<Projections>;
  let replicas: TimerReplica[];
  let publication: SessionPublication;
  let metrics: Metrics;
  let read: EventStore['read'];
  /** For the projections, which look into the store by the clock and not for each session. */
  let uncounted: ReturnType<typeof useCaseFixture>['eventStore'];
  let counts: ReturnType<typeof countStoreCalls>['counts'];

  beforeEach(async () => {
    fixture = useCaseFixture();
    stopping = new AbortController();
    opened = new Set();
    replicas = [];
    metrics = new Metrics();
    subject.statements.clear();
    await subject.make();
    const { eventStore } = fixture;
    const exists = eventStore.exists.bind(eventStore);
    const subscribe = eventStore.subscribe.bind(eventStore);
    const marksUpTo = eventStore.marksUpTo.bind(eventStore);
    ({ counts, read } = countStoreCalls(eventStore));
    uncounted = { read, exists, subscribe, marksUpTo } as typeof eventStore;
    publication = new SessionPublication({ read } as EventStore);
  });
  afterEach(async () => {
    stopping.abort();
    await Promise.all(replicas.map(({ ended }) => ended));
    await Promise.all([...opened].map((projections) => projections.close()));
    await fixture.eventStore.close();
    await subject.remove();
  });

  /** A process that works for these partitions. */
  const replica = (owned: readonly number[] = all(), end = new AbortController()): TimerReplica => {
    const projections = subject.open({ ...fixture, eventStore: uncounted });
    opened.add(projections);
    const { eventStore, clock } = fixture;
    const made = startTimerReplica({ eventStore, projections, clock, metrics, stopping: stopping.signal }, owned, end);
    replicas.push(made);
    return made;
  };
  const all = (): number[] => Array.from({ length: PARTITIONS }, (_, partition) => partition);
  const share = (number: number, of: number): number[] => all().filter((partition) => partition % of === number);

  /** Waits until the tables are there. */
  const ready = (): Promise<void> =>
    eventually(async () => (await Promise.all(replicas.map(({ projections }) => rowsOf(projections).catch(() => undefined)))).every(Boolean), {
      what: 'the tables are made',
    });
  const rowsOf = async (projections: Projections) => {
    const status = (await projections.list()).find(({ name }) => name === 'session-timers');
    return status?.complete ? status : undefined;
  };

  const begin = async (length: number): Promise<readonly SessionId[]> => Promise.all(Array.from({ length }, () => fixture.begin()));

  const messagesOf = async (sessions: readonly SessionId[], from = 0): Promise<readonly Message[]> =>
    (await Promise.all(sessions.map((sessionId) => publication.messagesOf(sessionId, from, 10)))).flat();

  /** Gives the messages to the owners of their partitions, as the bus does. */
  const deliver = async (messages: readonly Message[]): Promise<void> => {
    for (const message of messages) {
      const partition = partitionOf(message.subject, PARTITIONS);
      await replicas.findLast(({ share: { owned } }) => owned.includes(partition))!.noteTimer.execute(message);
    }
  };
  const publish = async (sessions: readonly SessionId[], from = 0): Promise<void> => deliver(await messagesOf(sessions, from));

  const types = async (sessionId: SessionId): Promise<string> => (await read(sessionStream(sessionId))).map(({ type }) => type).join();
  const areAll = async (sessions: readonly SessionId[], expected: string): Promise<boolean> =>
    (await Promise.all(sessions.map(types))).every((found) => found === expected);
  const become = (sessions: readonly SessionId[], expected: string): Promise<void> =>
    eventually(() => areAll(sessions, expected), { what: `all are ${expected === '' ? 'deleted' : expected}`, within: 20_000 });
  const written = async (change: string): Promise<number> =>
    (await metrics.sessionTimerRows.get()).values.find(({ labels }) => labels.change === change)?.value ?? 0;

  it('end sessions at their deadline, and not a millisecond earlier, and delete them when their retention is over', async () => {
    replica();
    await ready();
    const earlier = await begin(3);
    fixture.clock.advance(1);
    const later = await begin(3);
    await publish([...earlier, ...later]);
    fixture.clock.advance(119_999);
    await become(earlier, 'SessionCreated,SessionExpired');
    expect(await areAll(later, 'SessionCreated')).toBe(true);
    fixture.clock.advance(1);
    await become(later, 'SessionCreated,SessionExpired');
    await publish([...earlier, ...later], 1);
    fixture.clock.advance(30 * DAY - 1);
    await become(earlier, '');
    expect(await areAll(later, 'SessionCreated,SessionExpired')).toBe(true);
    fixture.clock.advance(1);
    await become(later, '');
  });

  it.each([1, 2, 8])('cost the same for each session with %i processes', async (processes) => {
    const sessions = 32;
    const began = performance.now();
    for (let number = 0; number < processes; number++) replica(share(number, processes));
    await ready();
    const ids = await begin(sessions);
    Object.assign(counts, { read: 0, append: 0 });
    await publish(ids);
    expect(counts).toEqual({ read: 0, append: 0, tombstone: 0 });
    fixture.clock.advance(120_000);
    await become(ids, 'SessionCreated,SessionExpired');
    await eventually(async () => (await written('renewed')) >= sessions);
    await publish(ids, 1);
    expect(counts).toEqual({ read: sessions, append: sessions, tombstone: 0 });
    fixture.clock.advance(30 * DAY);
    await become(ids, '');
    await eventually(async () => (await written('removed')) >= sessions);
    expect(counts).toEqual({ read: 2 * sessions, append: sessions, tombstone: sessions });
    expect([await written('noted'), await written('renewed'), await written('removed')]).toEqual([2 * sessions, sessions, sessions]);
    // A session needs at most three inserts: for two events and for its end. Sessions that end or are deleted together share statements; so do reads.
    const did = (what: string): number => subject.statements.get(`${what} session_timers_v1`) ?? 0;
    expect(did('Insert')).toBeGreaterThan(2 * sessions);
    expect(did('Insert')).toBeLessThanOrEqual(3 * sessions);
    expect(did('Delete')).toBeLessThanOrEqual(sessions);
    const looks = 3 * PARTITIONS * (1 + Math.ceil((performance.now() - began) / 10_000));
    // Each row that is stored by itself may be looked for by itself: three of a session, on a machine that is slow between them.
    expect(did('Select')).toBeLessThanOrEqual(looks + 3 * sessions);
  });

  it('continue in another process when the owner of a partition has died', async () => {
    const owner = replica();
    await ready();
    const ids = await begin(20);
    await publish(ids);
    owner.kill();
    await owner.ended;
    fixture.clock.advance(120_000);
    const other = replica([]);
    await ready();
    other.timers.assigned({ partitions: PARTITIONS, owned: all() });
    await become(ids, 'SessionCreated,SessionExpired');
  });

  it('end each session once when a frozen owner goes on beside its successor: one append wins', async () => {
    replica();
    replica();
    await ready();
    const ids = await begin(200);
    await publish(ids);
    fixture.clock.advance(120_000);
    await become(ids, 'SessionCreated,SessionExpired');
    fixture.clock.advance(30 * DAY);
    await become(ids, '');
    await eventually(async () => (await written('removed')) >= 200);
  });

  it('are built anew from the store while events go on', async () => {
    const one = replica();
    await ready();
    const ids = await begin(50);
    await publish(ids.slice(0, 25));
    await one.projections.rebuild('session-timers');
    const live = await begin(5);
    await eventually(async () => (await rowsOf(one.projections)) !== undefined, { what: 'the rows are complete' });
    await publish(live);
    fixture.clock.advance(120_000);
    await become([...ids, ...live], 'SessionCreated,SessionExpired');
  });

  it('end sessions that a restored store shows as open, although the bus has brought the ends that it lacks', async () => {
    replica();
    await ready();
    const ids = await begin(5);
    const created = await messagesOf(ids);
    await deliver(created);
    await deliver(created.map((message) => ({ ...message, id: fixture.randomness.uuid(), type: 'session.cancelled', esrevision: 1 })));
    await eventually(
      () => {
        fixture.clock.advance(10_000);
        return areAll(ids, 'SessionCreated,SessionExpired');
      },
      { what: 'all have ended', within: 20_000 },
    );
  });

  it('take all events again, as from a topic that was filled again, also those of sessions that are deleted', async () => {
    replica();
    await ready();
    const ids = await begin(10);
    const messages = await messagesOf(ids);
    await deliver(messages);
    fixture.clock.advance(120_000);
    await become(ids, 'SessionCreated,SessionExpired');
    await deliver([...messages, ...messages]);
    fixture.clock.advance(30 * DAY);
    await become(ids, '');
    await eventually(async () => (await written('removed')) === 10);
    await deliver(messages);
    await eventually(async () => (await written('removed')) === 20, { what: 'the rows of deleted sessions are removed again' });
    expect([counts.append, counts.tombstone]).toEqual([20, 10]);
  });

  it('give the rows of partitions that the topic has no longer to those that it has', async () => {
    const one = replica();
    await ready();
    const ids = await begin(20);
    await publish(ids);
    one.timers.assigned({ partitions: 1, owned: [0] });
    fixture.clock.advance(120_000);
    await become(ids, 'SessionCreated,SessionExpired');
  });
};
