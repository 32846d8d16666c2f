import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { apply, kubectl, podsOf } from './cluster.ts';

const GROUPS = ['metrics.k8s.io', 'external.metrics.k8s.io'];

/** The two APIs that autoscalers read, with figures that a test sets. In a cluster metrics-server and KEDA serve them. */
export interface MetricsApi {
  /** Millicores that each pod of a service uses. */
  readonly cpu: Map<string, number>;
  /** Values of external metrics, by name. */
  readonly external: Map<string, number>;
  /** Takes the APIs away: a registered API that does not answer would keep namespaces from being deleted. */
  stop(): Promise<void>;
}

/** Serves the two APIs on this machine, and registers them at the API server. */
export const startMetricsApi = async (): Promise<MetricsApi> => {
  const cpu = new Map<string, number>();
  const external = new Map<string, number>();
  const folder = process.env['TEST_CERTIFICATES'] ?? '';
  const port = await reservePort();
  const certificate = { key: readFileSync(join(folder, 'cert.key')), cert: readFileSync(join(folder, 'cert.pem')) };
  const server = createServer(certificate, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://localhost');
    if (!GROUPS.some((group) => pathname.startsWith(`/apis/${group}/v1beta1`))) return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/json');
    void answer(pathname, searchParams.get('labelSelector') ?? '').then(
      (body) => response.end(JSON.stringify(body)),
      () => response.writeHead(500).end(),
    );
  });

  const answer = async (path: string, selector: string): Promise<object> => {
    const [, , group = '', , , namespace, name = ''] = path.split('/');
    if (namespace === undefined) return resourcesOf(group);
    const timestamp = new Date().toISOString();
    if (group === 'external.metrics.k8s.io') {
      const item = { metricName: name, metricLabels: {}, timestamp, value: String(external.get(name) ?? 0) };
      return { kind: 'ExternalMetricValueList', apiVersion: 'external.metrics.k8s.io/v1beta1', metadata: {}, items: [item] };
    }
    const component = /component=([a-z-]+)/.exec(selector)?.[1] ?? '';
    const items = (await podsOf(namespace, component)).map(({ metadata }) => ({
      metadata: { name: metadata.name, namespace, labels: metadata.labels },
      timestamp,
      window: '1s',
      containers: [{ name: component, usage: { cpu: `${cpu.get(component) ?? 0}m`, memory: '128Mi' } }],
    }));
    return { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items };
  };

  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  await apply('kube-system', registrations(port));
  await kubectl(['wait', 'apiservice', ...GROUPS.map((group) => `v1beta1.${group}`), '--for=condition=Available', '--timeout=120s']);
  return {
    cpu,
    external,
    stop: async () => {
      await kubectl(['delete', 'apiservice', ...GROUPS.map((group) => `v1beta1.${group}`)]);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};

const resourcesOf = (group: string): object => {
  const pods = { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] };
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1beta1`, resources: group === 'metrics.k8s.io' ? [pods] : [] };
};

/** The API server finds the server by a service that stands for another name. */
const registrations = (port: number): readonly object[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'metrics-of-the-test' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  },
  ...GROUPS.map((group) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1beta1.${group}` },
    spec: {
      group,
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { name: 'metrics-of-the-test', namespace: 'kube-system', port },
    },
  })),
];
