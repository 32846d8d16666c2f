import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import {
  FIXED_REPLICAS,
  hasReady,
  kubectl,
  list,
  makeNamespace,
  CONDITION_LIMIT,
  podsOf,
  release,
  removeNamespace,
  rolledOut,
  watchAvailability,
} from './support/cluster.ts';

const NAMESPACE = 'disruption';
const ZONE = 'topology.kubernetes.io/zone';

beforeAll(async () => {
  await makeNamespace(NAMESPACE);
  await release(NAMESPACE, 'minimal-values.yaml', FIXED_REPLICAS);
  await rolledOut(NAMESPACE);
});

afterAll(async () => {
  await uncordon();
  await removeNamespace(NAMESPACE);
});

const uncordon = () => kubectl(['uncordon', '--selector', ZONE]);

/** Requests an eviction as `kubectl drain` does. Throws the answer of the API server when it refuses. */
const evict = (name: string): Promise<string> => {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
  return kubectl(['create', '--raw', `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`, '--filename', '-'], JSON.stringify(eviction));
};

/** Resolves when the budget allows it. */
const evicted = (name: string): Promise<void> => {
  const isEvicted = () =>
    evict(name).then(
      () => true,
      () => false,
    );
  return eventually(isEvicted, { what: `${name} may be evicted`, within: CONDITION_LIMIT });
};

const zoneOfNodes = async (): Promise<Map<string, string>> =>
  new Map((await list('', 'nodes')).map(({ metadata }) => [metadata.name, metadata.labels?.[ZONE] ?? '']));

it('spreads the two pods of each service over two zones', async () => {
  const zones = await zoneOfNodes();
  const byComponent = Map.groupBy(await podsOf(NAMESPACE), ({ metadata }) => metadata.labels!['app.kubernetes.io/component']!);
  expect(byComponent.size).toBe(10);
  for (const [component, pods] of byComponent)
    expect([component, new Set(pods.map(({ spec }) => zones.get(spec.nodeName as string))).size]).toEqual([component, 2]);
});

it('refuses to evict the second pod of a service until the first one has a successor that is ready', async () => {
  // No node takes a pod, so the successor of the first one stays pending.
  await kubectl(['cordon', '--selector', ZONE]);
  const [first, second] = (await podsOf(NAMESPACE, 'session-api')).map(({ metadata }) => metadata.name);
  await evicted(first!);
  await expect(evict(second!)).rejects.toThrow("violate the pod's disruption budget");
  await eventually(async () => (await podsOf(NAMESPACE, 'session-api')).some(({ status }) => status.phase === 'Pending'), {
    within: CONDITION_LIMIT,
  });
  await expect(evict(second!)).rejects.toThrow("violate the pod's disruption budget");

  await uncordon();
  await hasReady(NAMESPACE, 'session-api', 2);
  await evicted(second!);
  await hasReady(NAMESPACE, 'session-api', 2);
});

it('keeps a pod of every service available while a zone is drained, and leaves none pending', async () => {
  await rolledOut(NAMESPACE);
  const zones = await zoneOfNodes();
  const inZone = async () => (await podsOf(NAMESPACE)).filter(({ spec }) => zones.get(spec.nodeName as string) === 'a');
  expect((await inZone()).length).toBeGreaterThan(0);
  const watch = await watchAvailability(NAMESPACE);
  await kubectl(['drain', '--selector', `${ZONE}=a`, '--delete-emptydir-data', `--timeout=${CONDITION_LIMIT / 1000}s`]);
  await rolledOut(NAMESPACE);
  const least = watch.end();
  expect(least.size).toBe(10);
  expect([...least.values()].filter((available) => available < 1)).toEqual([]);
  expect(await inZone()).toEqual([]);
  expect((await podsOf(NAMESPACE)).filter(({ status }) => status.phase !== 'Running')).toEqual([]);
});
