import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { ROOT } from '../deploy/support/alerts.ts';
import {
  type ClusterObject,
  FIXED_REPLICAS,
  helm,
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

const NAMESPACE = 'releases';
const RELEASE = 'countersign';
const VALUES = 'minimal-values.yaml';

/** The services in the order in which docs/operator.md has them upgraded: the sentence names each in code. */
const orderOfTheManual = (): readonly string[] => {
  const manual = readFileSync(join(ROOT, 'docs/operator.md'), 'utf8');
  const [, sentence = ''] = /^\*\*Services\.\*\* Upgrade one service after another(.*?)\. A reader/ms.exec(manual) ?? [];
  return [...sentence.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!);
};
const ORDER = orderOfTheManual();

const NEXT_DIGEST = `sha256:${'1'.repeat(64)}`;
const NEXT_RELEASE = { ...FIXED_REPLICAS, 'image.digest': NEXT_DIGEST };
const NEXT_IMAGE = `ghcr.io/countersign/countersign@${NEXT_DIGEST}`;

/** The names of all objects of the namespace, of every kind that the API server knows. */
const everything = async (): Promise<readonly string[]> => {
  const kinds = (await kubectl(['api-resources', '--verbs=list', '--namespaced', '--output', 'name'])).trim().split('\n');
  const lasting = kinds.filter((kind) => !/^events(\.|$)/.test(kind));
  const names = await kubectl(['--namespace', NAMESPACE, 'get', lasting.join(','), '--output', 'name']);
  return names.trim().split('\n').sort();
};

/** What the API server holds of each object of the release. */
const contents = async (): Promise<Readonly<Record<string, Pick<ClusterObject, 'spec' | 'data'>>>> => {
  const manifest = await helm(['get', 'manifest', RELEASE, '--namespace', NAMESPACE]);
  const stored = await kubectl(['--namespace', NAMESPACE, 'get', '--filename', '-', '--output', 'json'], manifest);
  const { items } = JSON.parse(stored) as { items: ClusterObject[] };
  return Object.fromEntries(items.map(({ kind, metadata, spec, data }) => [`${kind}/${metadata.name}`, { spec, ...(data && { data }) }]));
};

const statusesOfRevisions = async (): Promise<readonly string[]> =>
  (JSON.parse(await helm(['history', RELEASE, '--namespace', NAMESPACE, '--output', 'json'])) as { status: string }[]).map(({ status }) => status);

const rollBackTo = (revision: number): Promise<string> => helm(['rollback', RELEASE, String(revision), '--namespace', NAMESPACE]);

const podNames = async (): Promise<readonly string[]> => (await podsOf(NAMESPACE)).map(({ metadata }) => metadata.name).sort();

const imagesOfPods = async (): Promise<ReadonlySet<string>> =>
  new Set((await podsOf(NAMESPACE)).map(({ spec }) => spec.containers[0].image as string));

/** What the namespace holds before the installation: the secrets, and what every namespace has. */
let before: readonly string[];
/** What the API server held of the first release. */
let installed: Awaited<ReturnType<typeof contents>>;

beforeAll(async () => {
  await makeNamespace(NAMESPACE);
  await eventually(async () => (await everything()).includes('serviceaccount/default'), { within: CONDITION_LIMIT });
  await eventually(async () => (await everything()).includes('configmap/kube-root-ca.crt'), { within: CONDITION_LIMIT });
  before = await everything();
});

afterAll(() => removeNamespace(NAMESPACE));

describe('an installation', () => {
  it('with a wrong value is refused by the name of the value, and leaves nothing', async () => {
    const wrong = release(NAMESPACE, VALUES, { ...FIXED_REPLICAS, 'services.signing.replicas': 'two' });
    await expect(wrong).rejects.toThrow(/services.signing.replicas.*want integer/s);
    expect(await everything()).toEqual(before);
  });

  it('makes the objects of the chart, in its namespace alone', async () => {
    await release(NAMESPACE, VALUES, FIXED_REPLICAS);
    await rolledOut(NAMESPACE);
    const manifest = await helm(['get', 'manifest', RELEASE, '--namespace', NAMESPACE]);
    const kinds = new Set([...manifest.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind));
    const ofCluster = (await kubectl(['api-resources', '--namespaced=false', '--no-headers'])).trim().split('\n');
    expect(ofCluster.map((line) => line.split(/\s+/).at(-1)).filter((kind) => kinds.has(kind))).toEqual([]);
    installed = await contents();
    expect(Object.keys(installed).filter((name) => name.startsWith('Deployment/'))).toHaveLength(10);
    expect(await statusesOfRevisions()).toEqual(['deployed']);
  });
});

describe('an upgrade', () => {
  it('with a wrong value is refused by the name of the value, and changes nothing', async () => {
    const wrong = release(NAMESPACE, VALUES, { ...NEXT_RELEASE, 'engines.kafka.partitions': 0 });
    await expect(wrong).rejects.toThrow(/engines.kafka.partitions/);
    expect(await contents()).toEqual(installed);
    expect(await statusesOfRevisions()).toEqual(['deployed']);
  });

  it('in the order of the manual replaces a service only after those before it, without a pause, and helm then restarts no pod', async () => {
    expect([...ORDER].sort()).toEqual((await list(NAMESPACE, 'deployments')).map(({ metadata }) => metadata.name.replace(`${RELEASE}-`, '')).sort());
    const watch = await watchAvailability(NAMESPACE);
    for (const [index, name] of ORDER.entries()) {
      await kubectl(['--namespace', NAMESPACE, 'set', 'image', `deployment/${RELEASE}-${name}`, `${name}=${NEXT_IMAGE}`]);
      await rolledOut(NAMESPACE);
      const upgraded = (await podsOf(NAMESPACE)).filter(({ spec }) => spec.containers[0].image === NEXT_IMAGE);
      const components = new Set(upgraded.map(({ metadata }) => metadata.labels!['app.kubernetes.io/component']));
      expect(components).toEqual(new Set(ORDER.slice(0, index + 1)));
    }
    const pods = await podNames();
    await release(NAMESPACE, VALUES, NEXT_RELEASE);
    await rolledOut(NAMESPACE);
    expect(await podNames()).toEqual(pods);
    expect(await statusesOfRevisions()).toEqual(['superseded', 'deployed']);
    expect([...watch.end().values()]).toEqual(ORDER.map(() => 2));
  });
});

describe('a rollback', () => {
  it('after an upgrade that the API server refused half-way restores all that had been changed', async () => {
    const upgraded = await contents();
    // The schema takes any text as a label, the API server does not. Helm sends the rules of Prometheus after the deployments.
    const refused = release(NAMESPACE, VALUES, { ...NEXT_RELEASE, 'settings.LOG_LEVEL': 'warn', 'monitoring.rules.labels': { team: 'not a label' } });
    await expect(refused).rejects.toThrow('not a label');
    expect((await statusesOfRevisions()).at(-1)).toBe('failed');
    const half = await contents();
    expect(half['ConfigMap/countersign-settings']?.data?.['LOG_LEVEL']).toBe('warn');
    await rollBackTo(2);
    await rolledOut(NAMESPACE);
    expect(await contents()).toEqual(upgraded);
  });

  it('brings the release before back, without a pause', async () => {
    const watch = await watchAvailability(NAMESPACE);
    await rollBackTo(1);
    await rolledOut(NAMESPACE);
    expect([...watch.end().values()].filter((available) => available < 2)).toEqual([]);
    expect(await contents()).toEqual(installed);
    await eventually(async () => !(await imagesOfPods()).has(NEXT_IMAGE), { what: 'no pod runs the later release', within: CONDITION_LIMIT });
    expect((await statusesOfRevisions()).at(-1)).toBe('deployed');
  });
});

describe('the end', () => {
  it('leaves what the namespace held before the installation, and nothing else', async () => {
    await helm(['uninstall', RELEASE, '--namespace', NAMESPACE]);
    let left: readonly string[] = [];
    const isGone = async (): Promise<boolean> => {
      left = (await everything()).filter((name) => !before.includes(name));
      return left.length === 0;
    };
    await eventually(isGone, { what: 'nothing is left', within: CONDITION_LIMIT }).catch(() => undefined);
    expect(left).toEqual([]);
    expect(await everything()).toEqual(before);
  });
});
