import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { buildHelm, KUBERNETES_VERSION } from '../../../testkit/programs/helm/helm.ts';

export const CHART = join(import.meta.dirname, '../../../deploy/helm/countersign');

/** The values that the chart is rendered with: each file of its folder `ci`. */
export const valuesFiles: readonly string[] = readdirSync(join(CHART, 'ci')).filter((file) => file.endsWith('-values.yaml'));

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds?: number;
}

export interface Container {
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly resources: object;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
}

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds: number;
  readonly topologySpreadConstraints: readonly object[];
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string; readonly defaultMode: number } }[];
}

/** A rendered Kubernetes object, as far as the tests look. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
  // Each kind has a shape of its own; a wrong one fails the test that reads it.
  readonly spec: any; // eslint-disable-line @typescript-eslint/no-explicit-any
  readonly data?: Readonly<Record<string, string>>;
}

/** The objects that helm makes of a file of values. `set`: further values, as for `helm --set-json`. Throws helm's message. */
export const render = (valuesFile: string, set: Readonly<Record<string, unknown>> = {}, release = 'demo'): readonly KubernetesObject[] => {
  const more = Object.entries(set).flatMap(([path, value]) => ['--set-json', `${path}=${JSON.stringify(value)}`]);
  const given = ['template', release, CHART, '--values', join(CHART, 'ci', valuesFile), '--kube-version', KUBERNETES_VERSION, ...more];
  const text = execFileSync(buildHelm(), given, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });
  return parseAllDocuments(text)
    .map((document) => document.toJS({ maxAliasCount: -1 }) as KubernetesObject | null)
    .filter((object) => object !== null);
};

export const ofKind = (objects: readonly KubernetesObject[], kind: string): readonly KubernetesObject[] =>
  objects.filter((object) => object.kind === kind);

export const component = ({ metadata }: KubernetesObject): string => metadata.labels['app.kubernetes.io/component'] ?? '';

/** The pods of a deployment, or of a job that runs by the clock. */
export const podOf = ({ spec }: KubernetesObject): Pod => (spec.jobTemplate?.spec ?? spec).template.spec as Pod;

/** The value of a setting for all services. */
export const settingOf = (objects: readonly KubernetesObject[], name: string): string =>
  ofKind(objects, 'ConfigMap').find(({ data }) => data?.[name])!.data![name]!;

/** The environment of a container, as Kubernetes makes it. */
export const environmentOf = (objects: readonly KubernetesObject[], { env = [], envFrom = [] }: Container): Record<string, string> => {
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]));
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return Object.assign({}, ...envFrom.map(({ configMapRef }) => maps.get(configMapRef.name)), own) as Record<string, string>;
};
