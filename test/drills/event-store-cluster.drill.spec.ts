import { setTimeout as wait } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { type EventStore, NO_STREAM, openEventStoreDb, type RecordedEvent, streamName } from '#engines/event-store';
import { SpawnedCluster } from '#testkit/event-store/eventstoredb/spawned-cluster';
import { type SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../testkit/processes/reserve-port.ts';
import { ServiceProcess } from '../../testkit/processes/service-process.ts';
import { runDirectory } from '../support/index.js';
import { StoreLoad } from './support/store-load.js';

const randomness = new SystemRandomness();
const WRITERS = 8;
/** Writes succeed again within this time after the election (specification/reliability.md#drill-24). Milliseconds. */
const BACK = 3_000;
/** For how long the leader is frozen. Milliseconds. */
const FREEZE = 30_000;
/** For how long a pod stays ready while its calls to the store fail (specification/reliability.md#drill-24). Milliseconds. */
const TOLERATED = 20_000;

/** One store on three nodes, of which one leads: gRPC test servers, each a process of its own. */
describe('three stores with one leader', () => {
  let cluster: SpawnedCluster;
  let store: EventStore;
  let load: StoreLoad | undefined;

  const open = (): Promise<EventStore> => openEventStoreDb({ connectionString: cluster.connectionString, clock: new SystemClock(), randomness });

  beforeAll(async () => {
    cluster = await SpawnedCluster.start();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());
  beforeEach(async () => {
    store = await open();
  });
  afterEach(async () => {
    load?.abandon();
    await store.close();
  });

  const underLoad = async (): Promise<StoreLoad> => {
    load = new StoreLoad(store, WRITERS);
    await load.answerAfter(performance.now() + 500);
    return load;
  };

  /** The time from the election of another leader to the next acknowledged write, in milliseconds. */
  const silenceAfterElection = async (under: StoreLoad, old: SpawnedTestServer): Promise<number> => {
    await cluster.leader(cluster.except(old));
    const elected = performance.now();
    return (await under.answerAfter(elected)) - elected;
  };

  const expectAllOnceAndInOrder = ({ acknowledged, seen }: StoreLoad): void => {
    const positions = seen.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => (a < b ? -1 : 1)));
    expect(new Map(seen.map(({ id, revision }) => [id, revision]))).toEqual(acknowledged);
    expect(seen).toHaveLength(acknowledged.size);
  };

  it('refuse and lose nothing when the leader is killed', async () => {
    const under = await underLoad();
    const leader = await cluster.leader();
    await leader.kill();
    expect(await silenceAfterElection(under, leader)).toBeLessThan(BACK);
    await cluster.restart(leader);
    await under.answerAfter(performance.now());
    await under.end();
    expect(under.refusals).toEqual([]);
    expectAllOnceAndInOrder(under);
  });

  it('take writes and reads again within 3 s of the election when the leader is frozen, and lose and double nothing', async () => {
    const under = await underLoad();
    const leader = await cluster.leader();
    const frozenAt = performance.now();
    leader.freeze();
    try {
      expect(await silenceAfterElection(under, leader)).toBeLessThan(BACK);
      expect(await store.read(under.seen[0]!.stream, { limit: 1 })).toHaveLength(1);
      await wait(FREEZE - (performance.now() - frozenAt));
    } finally {
      leader.thaw();
    }
    await under.answerAfter(performance.now() + 1_000);
    await under.end();
    expectAllOnceAndInOrder(under);
  });

  it('hand over events to a process that only subscribes, when the node of its subscription is frozen', async () => {
    const stream = streamName(`quiet${randomness.bytes(6).toString('hex')}`, randomness.uuid());
    const leave = new AbortController();
    const seen: (RecordedEvent | 'caught-up')[] = [];
    const following = (async () => {
      const categories = [stream.slice(0, stream.indexOf('-'))];
      for await (const item of store.subscribe({ categories, signal: leave.signal })) seen.push(item);
    })();
    await eventually(() => seen.includes('caught-up'));
    const leader = await cluster.leader();
    const writer = await open();
    leader.freeze();
    try {
      await cluster.leader(cluster.except(leader));
      const ids = [randomness.uuid<RecordedEvent['id']>()];
      await eventually(
        () =>
          writer.append(stream, NO_STREAM, [{ type: 'Happened', data: {} }], { ids }).then(
            () => true,
            () => false,
          ),
        { within: 60_000 },
      );
      await eventually(() => seen.some((item) => item !== 'caught-up'), { what: 'the subscription goes on', within: BACK });
    } finally {
      leader.thaw();
    }
    leave.abort();
    await following;
    await writer.close();
    expect(seen.filter((item) => item !== 'caught-up')).toMatchObject([{ stream, revision: 0 }]);
  });

  it('refuse and lose nothing when the leader resigns', async () => {
    const under = await underLoad();
    const leader = await cluster.leader();
    await cluster.resign(leader);
    expect(await silenceAfterElection(under, leader)).toBeLessThan(BACK);
    await under.answerAfter(performance.now() + 500);
    await under.end();
    expect(under.refusals).toEqual([]);
    expectAllOnceAndInOrder(under);
  });

  describe('with two pods of session-api', () => {
    let pods: readonly ServiceProcess[];

    beforeAll(async () => {
      const environment = { ESDB_URL: cluster.connectionString, KEY_DIR: `${runDirectory()}/pod-keys`, DEMO: 'false', LOG_LEVEL: 'warn' };
      const ports = [await reservePort(), await reservePort()];
      pods = ports.map(
        (port, index) => new ServiceProcess({ name: 'session-api', label: `pod-${index + 1}`, port, directory: runDirectory(), environment }),
      );
      for (const pod of pods) await pod.start();
    });
    afterAll(() => Promise.all((pods ?? []).map((pod) => pod.kill())));

    const readiness = (): Promise<number[]> => Promise.all(pods.map(async ({ url }) => (await fetch(`${url}/readyz`)).status));
    /** Asks four times a second, as many probes of an orchestrator would, and returns the answers. */
    const observed = async (until: () => boolean): Promise<Set<number>> => {
      const said = new Set<number>();
      for (; !until(); await wait(250)) for (const status of await readiness()) said.add(status);
      return said;
    };

    it('keep every pod ready through the election after the leader was killed', async () => {
      const leader = await cluster.leader();
      let over = false;
      const watched = observed(() => over);
      await leader.kill();
      await cluster.leader(cluster.except(leader));
      await wait(BACK);
      over = true;
      expect([...(await watched)]).toEqual([200]);
      await cluster.restart(leader);
    });

    it('keep every pod ready while the leader is frozen and the others elect', async () => {
      const leader = await cluster.leader();
      leader.freeze();
      try {
        const end = performance.now() + FREEZE;
        expect([...(await observed(() => performance.now() > end))]).toEqual([200]);
      } finally {
        leader.thaw();
      }
    });

    it('take every pod out when all nodes are gone for longer than an election, and back when they serve', async () => {
      await Promise.all(cluster.nodes.map((node) => node.kill()));
      const killed = performance.now();
      const stillReady = performance.now() + TOLERATED / 2;
      expect([...(await observed(() => performance.now() > stillReady))]).toEqual([200]);
      await eventually(async () => (await readiness()).every((status) => status === 503), { what: 'no pod is ready', within: 2 * TOLERATED });
      console.log(`no pod is ready ${Math.round(performance.now() - killed)} ms after all nodes were killed`);
      for (const node of cluster.nodes) await cluster.restart(node);
      await cluster.leader();
      await eventually(async () => (await readiness()).every((status) => status === 200), { what: 'every pod is ready', within: TOLERATED });
    });
  });
});
