import { type DomainEvent, SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#kernel/testing';

import { reserve } from '../decide-and-append.js';
import { EventStoreUnavailable, NO_STREAM, type StreamName, streamName } from '../event-store.js';
import { openClient } from './client.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { SpawnedCluster } from './testing/spawned-cluster.js';
import type { SpawnedTestServer } from './testing/spawned-test-server.js';

const randomness = new SystemRandomness();

type Claimed = DomainEvent<'Claimed', { readonly by: string }>;
const claim = (by: string): Claimed => ({ type: 'Claimed', data: { by } });

/** The leader writes an event that no other node has, refuses a second one because of it, and dies: the event is gone. */
describe('a conflict with an event that a failover takes away', () => {
  let cluster: SpawnedCluster;
  let store: EventStoreDbEventStore;
  beforeAll(async () => {
    cluster = await SpawnedCluster.start();
  }, 60_000);
  afterAll(() => cluster[Symbol.asyncDispose]());
  beforeEach(() => {
    store = new EventStoreDbEventStore({ connectionString: cluster.connectionString, clock: new SystemClock(), randomness });
  });
  afterEach(() => store.close());

  /** Another writer's event on the leader alone. */
  const writeUnreplicated = async (leader: SpawnedTestServer, stream: StreamName): Promise<void> => {
    for (const follower of cluster.except(leader)) await follower.kill();
    const client = openClient(leader.connectionString);
    const event = { id: randomness.uuid(), type: 'Claimed', contentType: 'application/json', data: { by: 'the lost one' }, metadata: {} } as const;
    client.appendToStream(stream, event, { expectedRevision: NO_STREAM }).catch(() => undefined);
    await eventually(() => leader.holds(stream), { what: 'the leader has written the event' });
  };
  /** The leader refuses a later append, and so has refused all earlier ones. */
  const refused = async (leader: SpawnedTestServer, stream: StreamName): Promise<void> => {
    const event = { id: randomness.uuid(), type: 'Claimed', contentType: 'application/json', data: {}, metadata: {} } as const;
    const appending = openClient(leader.connectionString).appendToStream(stream, event, { expectedRevision: NO_STREAM });
    await expect(appending).rejects.toMatchObject({ type: 'wrong-expected-version', actualVersion: 0n });
  };
  const failOver = async (leader: SpawnedTestServer): Promise<void> => {
    await leader.kill();
    for (const follower of cluster.except(leader)) await cluster.restart(follower);
    await cluster.leader(cluster.except(leader));
  };

  it('is not told: the outcome is unknown, and a later append succeeds', async () => {
    const stream = streamName('claim', randomness.uuid());
    const leader = await cluster.leader();
    await store.read(stream); // connected
    await writeUnreplicated(leader, stream);
    const outcome = store.append(stream, NO_STREAM, [claim('me')]).catch((error: unknown) => error);
    await refused(leader, stream);
    await failOver(leader);
    expect(await outcome).toBeInstanceOf(EventStoreUnavailable);
    await cluster.restart(leader);
    await eventually(
      () =>
        store.append(stream, NO_STREAM, [claim('me')]).then(
          () => true,
          () => false,
        ),
      { within: 30_000 },
    );
    expect(await store.read(stream)).toMatchObject([{ data: { by: 'me' } }]);
  }, 120_000);

  it('does not count the claim as stored', async () => {
    const stream = streamName('claim', randomness.uuid());
    const leader = await cluster.leader();
    await store.read(stream);
    await writeUnreplicated(leader, stream);
    const answers: string[] = [];
    const reserving = eventually(
      () =>
        reserve({ store, clock: new SystemClock() }, stream, claim('me')).then(
          ({ data }) => answers.push(data.by) > 0,
          () => false,
        ),
      { within: 60_000 },
    );
    await failOver(leader);
    await cluster.restart(leader);
    await reserving;
    expect(answers).toEqual(['me']);
    expect(await store.read(stream)).toMatchObject([{ data: { by: 'me' } }]);
  }, 120_000);
});
