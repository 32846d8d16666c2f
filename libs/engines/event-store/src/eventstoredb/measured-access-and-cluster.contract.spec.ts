import { request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';

import { END, type EventStoreDBClient, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';

import { eventually } from '#testkit/kernel/eventually';

import { gossipOf, openClient } from './client.js';
import { SecuredTestServer } from '#testkit/event-store/eventstoredb/secured-test-server';
import { SpawnedCluster } from '#testkit/event-store/eventstoredb/spawned-cluster';
import { type SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { happened, uuid, stream, collect, refusal, measured, withTestServer } from '#testkit/event-store/eventstoredb/measured-server';

describe.each(measured)('the measured behaviour of the servers, on $name', ({ started }) => {
  withTestServer('over TLS, with users', () => {
    let secured: SecuredTestServer;
    const clients: EventStoreDBClient[] = [];
    const as = (...user: Parameters<SecuredTestServer['connectionString']>): EventStoreDBClient => {
      const opened = openClient(secured.connectionString(...user));
      clients.push(opened);
      return opened;
    };
    beforeAll(async () => {
      secured = await SecuredTestServer.start(started);
    });
    afterAll(async () => {
      await Promise.all(clients.map((one) => Promise.race([one.dispose(), wait(500)])));
      await secured[Symbol.asyncDispose]();
    });
    const all = (user: EventStoreDBClient) => collect(user.readAll({ maxCount: 5 }));
    const post = (path: string, user: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const options = { host: 'localhost', port: secured.server.port, path, method: 'POST', auth: user, rejectUnauthorized: false };
        request(options, (response) => resolve(response.resume().statusCode!))
          .on('error', reject)
          .end();
      });

    it('a plain user may append, read, delete, tombstone and set metadata', async () => {
      const [name, dead] = [stream(), stream()];
      const app = as('app');
      expect(await app.appendToStream(name, happened(), { expectedRevision: NO_STREAM })).toMatchObject({ success: true });
      await app.setStreamMetadata(name, { maxAge: 3_600 });
      expect(await collect(app.readStream(name))).toHaveLength(1);
      expect(await app.deleteStream(name)).toBeDefined();
      expect(await app.tombstoneStream(dead)).toBeDefined();
    });

    it('no user at all, and a wrong password, are denied everything', async () => {
      for (const stranger of [as(), as('app', 'wrong')]) {
        expect(await refusal(stranger.appendToStream(stream(), happened(), { expectedRevision: NO_STREAM }))).toMatchObject({
          type: 'access-denied',
        });
        expect(await refusal(collect(stranger.readStream(stream())))).toMatchObject({ type: 'access-denied' });
      }
    });

    it('$all is denied to a plain user until its metadata names a role of the user', async () => {
      const [app, admin] = [as('app'), as('admin')];
      expect(await refusal(all(app))).toMatchObject({ type: 'access-denied' });
      expect(await refusal(collect(app.subscribeToAll({ fromPosition: END })))).toMatchObject({ type: 'access-denied' });
      expect(await refusal(all(as('ops')))).toMatchObject({ type: 'access-denied' });
      await admin.setStreamMetadata('$all', { acl: { readRoles: ['services'] } });
      expect(await all(app)).not.toEqual([]);
      await admin.setStreamMetadata('$all', { acl: { readRoles: [] } });
      expect(await refusal(all(app))).toMatchObject({ type: 'access-denied' });
    });

    it('$userStreamAcl in $settings shuts all other users out of every stream', async () => {
      const [app, admin] = [as('app'), as('admin')];
      const name = stream();
      await admin.appendToStream(name, happened(), { expectedRevision: NO_STREAM });
      const settings = (roles: string[]) =>
        admin.appendToStream('$settings', jsonEvent({ type: '$settings', data: { $userStreamAcl: { $r: roles, $w: roles } } }));
      await settings(['others']);
      expect(await refusal(collect(app.readStream(name)))).toMatchObject({ type: 'access-denied' });
      expect(await refusal(app.appendToStream(name, happened(), { expectedRevision: 0n }))).toMatchObject({ type: 'access-denied' });
      await settings(['services']);
      expect(await collect(app.readStream(name))).toHaveLength(1);
    });

    it('operators and administrators scavenge, a plain user does not', async () => {
      expect(await post('/admin/scavenge', 'app:app secret')).toBe(401);
      expect(await post('/admin/scavenge', 'ops:changeit')).toBe(200);
    });
  });

  withTestServer('a cluster of three', () => {
    let cluster: SpawnedCluster;
    beforeAll(async () => {
      cluster = await SpawnedCluster.start(started);
    });
    const clients: EventStoreDBClient[] = [];
    afterAll(async () => {
      await Promise.all(clients.map((one) => Promise.race([one.dispose(), wait(500)])));
      await cluster[Symbol.asyncDispose]();
    });
    const at = (node: SpawnedTestServer): EventStoreDBClient => {
      const opened = openClient(node.connectionString);
      clients.push(opened);
      return opened;
    };
    const follower = async (): Promise<SpawnedTestServer> => cluster.except(await cluster.leader())[0]!;

    it('names each node, and one of them as its leader', async () => {
      const leader = await cluster.leader();
      for (const node of cluster.nodes) {
        const members = await gossipOf(at(node));
        expect(members).toHaveLength(3);
        expect(members.filter(({ leads }) => leads)).toEqual([{ host: `127.0.0.1:${leader.port}`, leads: true, isAlive: true }]);
      }
    });

    it('hands a write on a follower to the leader', async () => {
      const name = stream();
      expect(await at(await follower()).appendToStream(name, happened(), { expectedRevision: NO_STREAM })).toMatchObject({ success: true });
      expect(await collect(at(await cluster.leader()).readStream(name))).toHaveLength(1);
    });

    it('refuses on a follower a read and a subscription that ask for the leader, and names it', async () => {
      const leader = await cluster.leader();
      const notLeader = { type: 'not-leader', leader: { address: '127.0.0.1', port: leader.port } };
      expect(await refusal(collect(at(await follower()).readStream(stream(), { requiresLeader: true })))).toMatchObject(notLeader);
      const subscription = at(await follower()).subscribeToAll({ fromPosition: START, requiresLeader: true });
      expect(await refusal(collect(subscription))).toMatchObject(notLeader);
    });

    it('scavenges one node and leaves the files of the others as they are', async () => {
      const needle = `needle ${uuid()}`;
      const [name, leader] = [stream(), await cluster.leader()];
      const [scavenged, other] = cluster.except(leader) as [SpawnedTestServer, SpawnedTestServer];
      await at(leader).appendToStream(name, happened({ needle }), { expectedRevision: NO_STREAM });
      await at(leader).tombstoneStream(name);
      const holds = () => Promise.all([leader, scavenged, other].map((node) => node.holds(needle)));
      await eventually(async () => (await holds()).every(Boolean), { what: 'every node has it', within: 60_000 }).catch(() => undefined);
      expect(await holds()).toEqual([true, true, true]);
      await fetch(`http://127.0.0.1:${scavenged.port}/admin/scavenge`, { method: 'POST' });
      await eventually(async () => !(await scavenged.holds(needle)), { what: 'it is scavenged', within: 60_000 }).catch(() => undefined);
      expect(await holds()).toEqual([true, false, true]);
    });

    // Not measured on a real cluster: what its replication allows.
    it('refuses an append because of an event that most of the nodes do not have yet, and a failover may take that event away', async () => {
      const [name, leader] = [stream(), await cluster.leader()];
      const client = at(leader);
      await collect(client.readStream(name)).catch(() => undefined); // connected
      for (const node of cluster.except(leader)) await node.kill();
      client.appendToStream(name, happened(), { expectedRevision: NO_STREAM }).catch(() => undefined);
      await eventually(() => leader.holds(name), { what: 'the leader has the event', within: 60_000 });
      expect(await refusal(client.appendToStream(name, happened(), { expectedRevision: NO_STREAM }))).toMatchObject({ actualVersion: 0n });
      expect(await refusal(collect(client.readStream(name)))).toMatchObject({ type: 'stream-not-found' });
      await leader.kill();
      for (const node of cluster.except(leader)) await cluster.restart(node);
      const next = await cluster.leader(cluster.except(leader));
      await cluster.restart(leader);
      expect(await at(next).appendToStream(name, happened({ other: true }), { expectedRevision: NO_STREAM })).toMatchObject({ success: true });
      expect(await collect(at(next).readStream(name))).toHaveLength(1);
    });

    it('elects another leader after one was killed, frozen or has resigned, and keeps acknowledged events', async () => {
      const name = stream();
      let expected: bigint | typeof NO_STREAM = NO_STREAM;
      for (const end of ['kill', 'freeze', 'resign'] as const) {
        const old = await cluster.leader();
        ({ nextExpectedRevision: expected } = await at(old).appendToStream(name, happened({ end }), { expectedRevision: expected }));
        if (end === 'resign') await cluster.resign(old);
        else await old[end]();
        const leader = await cluster.leader(cluster.except(old));
        expect((await collect(at(leader).readStream(name, { requiresLeader: true }))).at(-1)?.event?.data).toEqual({ end });
        if (end === 'kill') await cluster.restart(old);
        if (end === 'freeze') old.thaw();
      }
    });
  });
});
