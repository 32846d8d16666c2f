import { SystemClock, SystemRandomness } from '#kernel';

import { EventStoreUnavailable, NO_STREAM, type StreamName, streamName } from '../event-store.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { type ScavengedNode, scavengeNodes, type ScavengeOptions } from './scavenge-nodes.js';
import { SecuredTestServer } from '#testkit/event-store/eventstoredb/secured-test-server';
import { SpawnedCluster } from '#testkit/event-store/eventstoredb/spawned-cluster';

const randomness = new SystemRandomness();
const OPERATOR = { username: 'ops', password: 'changeit' };

const scavenge = async (options: ScavengeOptions): Promise<ScavengedNode[]> => {
  const done: ScavengedNode[] = [];
  for await (const node of scavengeNodes({ pollEvery: 20, ...options })) done.push(node);
  return done;
};

describe('a scavenge of a cluster of three', () => {
  let cluster: SpawnedCluster;
  let store: EventStoreDbEventStore;

  beforeAll(async () => {
    cluster = await SpawnedCluster.start();
    store = new EventStoreDbEventStore({ connectionString: cluster.connectionString, clock: new SystemClock(), randomness });
  });
  afterAll(async () => {
    await store.close();
    await cluster[Symbol.asyncDispose]();
  });

  const append = async (stream: StreamName, secret: string) => store.append(stream, NO_STREAM, [{ type: 'Happened', data: { secret } }]);

  it('removes erased bytes from the files of every node, the leader last', async () => {
    const [tombstoned, truncated, kept] = ['a', 'b', 'c'].map((category) => streamName(category, randomness.uuid())) as [
      StreamName,
      StreamName,
      StreamName,
    ];
    const secrets = [1, 2, 3].map(() => randomness.bytes(16).toString('hex')) as [string, string, string];
    await append(tombstoned, secrets[0]);
    await append(truncated, secrets[1]);
    await append(kept, secrets[2]);
    await store.append(truncated, 0, [{ type: 'Released', data: {} }]);
    await store.truncateBefore(truncated, 1);
    await store.tombstone(tombstoned);
    const started: string[] = [];
    const leader = await cluster.leader();

    const done = await scavenge({ connectionString: cluster.connectionString, onStart: (node) => started.push(node) });

    expect(done.map(({ leads }) => leads)).toEqual([false, false, true]);
    expect(done.at(-1)?.node).toBe(`127.0.0.1:${leader.port}`);
    expect(started).toEqual(done.map(({ node }) => node));
    expect(new Set(done.map(({ scavengeId }) => scavengeId)).size).toBe(3);
    for (const node of cluster.nodes) {
      expect([await node.holds(secrets[0]), await node.holds(secrets[1]), await node.holds(secrets[2])]).toEqual([false, false, true]);
    }
    expect(await store.read(truncated)).toMatchObject([{ type: 'Released', revision: 1 }]);
  });

  it('fails for a node that does not answer, and names it', async () => {
    const [follower] = cluster.except(await cluster.leader());
    await follower!.kill();
    await expect(scavenge({ connectionString: cluster.connectionString })).rejects.toThrow(`127.0.0.1:${follower!.port}`);
    await cluster.restart(follower!);
  });
});

describe('a scavenge with users and over TLS', () => {
  let server: SecuredTestServer;
  beforeAll(async () => {
    server = await SecuredTestServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('needs the credentials of an operator', async () => {
    const connectionString = server.connectionString('app');
    await expect(scavenge({ connectionString })).rejects.toMatchObject({
      name: 'ScavengeFailed',
      message: expect.stringContaining('refuses these credentials'),
    });
    await expect(scavenge({ connectionString, credentials: { username: 'ops', password: 'wrong' } })).rejects.toMatchObject({
      name: 'ScavengeFailed',
    });
    const [done] = await scavenge({ connectionString, credentials: OPERATOR });
    expect(done).toMatchObject({ leads: true });
  });

  it('asks for JSON, since a node answers text otherwise, and takes the id from the answer', async () => {
    const [done] = await scavenge({ connectionString: server.connectionString('app'), credentials: OPERATOR });
    expect(done!.scavengeId).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('needs a node that answers', async () => {
  await expect(scavenge({ connectionString: 'esdb://127.0.0.1:1?tls=false' })).rejects.toBeInstanceOf(EventStoreUnavailable);
});

it('needs a connection string', async () => {
  await expect(scavenge({ connectionString: 'http://127.0.0.1:2113' })).rejects.toBeInstanceOf(TypeError);
});
