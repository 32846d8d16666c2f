import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { eventually } from '#testkit/kernel/eventually';

import { buildHelm } from '../../../testkit/programs/helm/helm.ts';
import { PROGRAMS } from '../../../testkit/programs/kubernetes/programs.ts';
import { CHART } from '../../deploy/support/chart.ts';

/** How long a test waits for a condition, in milliseconds: the machine may be slow and busy. */
export const CONDITION_LIMIT = 120_000;

/** The parts of a cluster's object that the tests read. */
export interface ClusterObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  // Each kind has a shape of its own; a wrong one fails the test that reads it.
  readonly spec: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  readonly status: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  readonly data?: Readonly<Record<string, string>>;
}

const kubeconfig = (): string => {
  const file = process.env['KUBECONFIG'];
  if (!file) throw new Error('run the suite by `npm run test:kubernetes`: its global setup starts the cluster');
  return file;
};

/** The environment of helm, kubectl and shells: the cluster of the suite, and a separate home for their caches. */
export const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: dirname(kubeconfig()), KUBECONFIG: kubeconfig() });

/** Runs a program and returns what it prints. Throws an error with all its output when it fails. */
const run = async (program: string, args: readonly string[], input = ''): Promise<string> => {
  const running = promisify(execFile)(program, [...args], { env: environment(), maxBuffer: 256 * 1024 * 1024 });
  running.child.stdin?.end(input);
  return (await running).stdout;
};

export const kubectl = (args: readonly string[], input?: string): Promise<string> => run(PROGRAMS.kubectl, args, input);
export const helm = (args: readonly string[]): Promise<string> => run(buildHelm(), args);

/** The objects of a kind in a namespace, or one of them by name; `kinds` as kubectl takes them. */
export const list = async (namespace: string, kinds: string, selector = ''): Promise<readonly ClusterObject[]> => {
  const text = await kubectl(['--namespace', namespace, 'get', kinds, '--selector', selector, '--output', 'json']);
  return (JSON.parse(text) as { items: ClusterObject[] }).items;
};

export const get = async (namespace: string, kind: string, name: string): Promise<ClusterObject> =>
  JSON.parse(await kubectl(['--namespace', namespace, 'get', kind, name, '--output', 'json'])) as ClusterObject;

export const apply = (namespace: string, objects: readonly object[]): Promise<string> =>
  kubectl(
    ['--namespace', namespace, 'apply', '--server-side', '--filename', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  );

/** The entries of the secrets that the chart mounts: README.md, "What is needed first". */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  'countersign-keys': ['token.json', 'pin.json', 'data.json', 'event.json', 'checkpoint.json', 'subject.json', 'index.json', 'openid.json'],
  'countersign-admin': ['token'],
  ...Object.fromEntries(
    ['event-store', 'kafka', 'redis', 'postgres'].map((name) => [`countersign-${name}`, ['password', 'ca.crt', 'tls.crt', 'tls.key']]),
  ),
  'countersign-scavenge': ['credentials'],
};

/** Makes a namespace that admits only pods under the restricted Pod Security Standard, with the secrets of the chart. */
export const makeNamespace = async (name: string): Promise<void> => {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await apply(name, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }]);
  const secrets = Object.entries(SECRETS).map(([secret, entries]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: secret },
    stringData: Object.fromEntries(entries.map((entry) => [entry, 'secret'])),
  }));
  await apply(name, secrets);
};

const RELEASE = 'countersign';
const OF_RELEASE = `app.kubernetes.io/instance=${RELEASE}`;

/** Values without autoscaling: always two replicas of each service, without metrics and KEDA. */
export const FIXED_REPLICAS = {
  'keda.enabled': false,
  ...Object.fromEntries(
    ['session-api', 'login-bff', 'openid', 'device-api', 'registry', 'console'].map((name) => [`services.${name}.autoscaling.enabled`, false]),
  ),
};

/** Installs or upgrades the release `countersign` in a namespace from a file of the chart's folder `ci`, with further values as for `--set-json`. */
export const release = async (
  namespace: string,
  valuesFile: string,
  set: Readonly<Record<string, unknown>> = {},
  options: readonly string[] = [],
): Promise<string> => {
  const more = Object.entries(set).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`]);
  const given = ['upgrade', '--install', RELEASE, CHART, '--namespace', namespace, '--values', join(CHART, 'ci', valuesFile), ...more, ...options];
  return helm(given);
};

/** Starts the deletion of a namespace, without waiting. */
export const removeNamespace = (name: string): Promise<string> => kubectl(['delete', 'namespace', name, '--ignore-not-found', '--wait=false']);

/**
 * Resolves when every autoscaler has set at least its minimum, and every deployment has replaced its pods and all are available. A deployment
 * whose replicas an autoscaler sets begins with one.
 */
export const rolledOut = async (namespace: string): Promise<void> => {
  const isScaled = async (): Promise<boolean> => {
    const scalers = await list(namespace, 'horizontalpodautoscalers');
    const replicas = new Map((await list(namespace, 'deployments')).map(({ metadata, spec }) => [metadata.name, spec.replicas as number]));
    return scalers.every(({ spec }) => (replicas.get(spec.scaleTargetRef.name as string) ?? 0) >= (spec.minReplicas as number));
  };
  await eventually(isScaled, { what: 'the autoscalers have set their minimum', within: CONDITION_LIMIT });
  await rolloutOf(namespace);
};

const rolloutOf = (namespace: string): Promise<string> =>
  kubectl(['--namespace', namespace, 'rollout', 'status', 'deployment', '--selector', OF_RELEASE, `--timeout=${CONDITION_LIMIT / 1000}s`]);

/** The pods of the release that are not about to end. */
export const podsOf = async (namespace: string, component = ''): Promise<readonly ClusterObject[]> => {
  const selector = component ? `${OF_RELEASE},app.kubernetes.io/component=${component}` : OF_RELEASE;
  return (await list(namespace, 'pods', selector)).filter(({ metadata }) => !metadata.deletionTimestamp);
};

export const isReady = ({ status }: ClusterObject): boolean =>
  ((status.conditions ?? []) as readonly { type: string; status: string }[]).some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** Resolves when a deployment has exactly so many ready pods. */
export const hasReady = (namespace: string, component: string, count: number): Promise<void> =>
  eventually(
    async () => {
      const pods = await podsOf(namespace, component);
      return pods.length === count && pods.every(isReady);
    },
    { what: `${component} has ${count} ready pods`, within: CONDITION_LIMIT },
  );

/** Notes the least number of available replicas of each deployment from now on. `end` returns them by name. */
export const watchAvailability = async (namespace: string): Promise<{ end(): Map<string, number> }> => {
  const least = new Map<string, number>();
  const line = '{.metadata.name}{" "}{.status.availableReplicas}{"\\n"}';
  const given = ['--namespace', namespace, 'get', 'deployments', '--watch', '--output', `jsonpath=${line}`];
  const child = spawn(PROGRAMS.kubectl, given, { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (text) => {
    const [name = '', available] = text.split(' ');
    least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, Number(available) || 0));
  });
  // The watch begins with the deployments that exist.
  await once(lines, 'line');
  return {
    end: () => {
      child.kill();
      return least;
    },
  };
};
