import { type DomainEvent, knownEvents, type Pause, pause, SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import { DeclaredStreams } from '../declared-streams.js';
import { reserve } from '../reservation.js';
import { lastEventOf } from '../unit-of-work/last-event.js';
import { UnitOfWork } from '../unit-of-work/unit-of-work.js';
import { EventStoreUnavailable, NO_STREAM, type StreamName, streamName } from '../event-store.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { LostWrite } from '#testkit/event-store/eventstoredb/lost-write';
import { SpawnedCluster } from '#testkit/event-store/eventstoredb/spawned-cluster';
import { untilAvailable } from '#testkit/event-store/eventstoredb/until-available';
import { FIRST_PAUSE } from './until-readable.js';

const randomness = new SystemRandomness();

type Claimed = DomainEvent<'Claimed', { readonly by: string }>;
const CLAIMS = lastEventOf<Claimed>(
  new DeclaredStreams({
    category: 'claim',
    owner: 'this test',
    ids: ['<uuid>'],
    events: knownEvents<Claimed>(1, { Claimed: true }),
    sealed: false,
    guarded: [],
  }),
);
const claim = (by: string): Claimed => ({ type: 'Claimed', data: { by } });

/** The leader writes an event that no other node has, refuses a second one because of it, and dies: the event is gone. */
describe('a conflict with an event that a failover takes away', () => {
  let cluster: SpawnedCluster;
  let store: EventStoreDbEventStore;
  /** Called when the store pauses before it reads a conflicting event again: the leader has refused its append. */
  let refused = (): void => undefined;
  beforeAll(async () => {
    cluster = await SpawnedCluster.start();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());
  beforeEach(() => {
    const observed: Pause = (milliseconds, signal) => {
      if (milliseconds <= FIRST_PAUSE) refused();
      return pause(milliseconds, signal);
    };
    store = new EventStoreDbEventStore({ connectionString: cluster.connectionString, clock: new SystemClock(), randomness, pause: observed });
  });
  afterEach(() => store.close());

  const claimLost = async (stream: StreamName): Promise<LostWrite> => {
    await untilAvailable(() => store.read(stream)); // connected
    return LostWrite.on(cluster, { stream, expected: NO_STREAM, ...claim('the lost one') });
  };

  it('is not told: the outcome is unknown, and a later append succeeds', async () => {
    const stream = streamName('claim', randomness.uuid());
    const lost = await claimLost(stream);
    const isRefused = new Promise<void>((resolve) => (refused = resolve));
    const outcome = store.append(stream, NO_STREAM, [claim('me')]).catch((error: unknown) => error);
    // Or given up, where the leader had lost its lease before.
    await Promise.race([isRefused, outcome]);
    await lost.failOver();
    expect(await outcome).toBeInstanceOf(EventStoreUnavailable);
    await cluster.restart(lost.leader);
    await eventually(
      () =>
        store.append(stream, NO_STREAM, [claim('me')]).then(
          () => true,
          () => false,
        ),
      { within: 30_000 },
    );
    expect(await untilAvailable(() => store.read(stream))).toMatchObject([{ data: { by: 'me' } }]);
  }, 120_000);

  it('lets no writer take the claim for stored', async () => {
    const stream = streamName('claim', randomness.uuid());
    const lost = await claimLost(stream);
    const answers: string[] = [];
    const reserving = eventually(
      () =>
        reserve(new UnitOfWork(store, new SystemClock()), { type: CLAIMS, stream }, claim('me')).then(
          ({ data }) => answers.push(data.by) > 0,
          () => false,
        ),
      { within: 60_000 },
    );
    await lost.refusesOthers();
    await lost.failOver();
    await cluster.restart(lost.leader);
    await reserving;
    expect(answers).toEqual(['me']);
    expect(await untilAvailable(() => store.read(stream))).toMatchObject([{ data: { by: 'me' } }]);
  }, 120_000);
});
