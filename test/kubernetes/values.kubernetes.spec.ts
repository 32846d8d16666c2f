import { beforeAll, describe, expect, it } from '@jest/globals';

import { type KubernetesObject, render, valuesFiles } from '../deploy/support/chart.ts';
import { kubectl, makeNamespace } from './support/cluster.ts';

const NAMESPACE = 'values';

/** Each switch of the values, set to another value than its default: alone, and with the values that it needs. */
const VARIANTS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['no KEDA', { 'keda.enabled': false }],
  ['no gateway', { 'gateway.enabled': false }],
  ['another gateway than that of Envoy', { 'gateway.envoy': false }],
  ['an admin API for staff', { 'gateway.admin.cidrs': ['198.51.100.0/24', '2001:db8::/32'] }],
  ['limits of addresses', { 'gateway.limit': { enabled: true, requests: 5, unit: 'Minute' } }],
  ['gateway and ingress', { 'ingress.enabled': true }],
  [
    'an ingress with the portal',
    {
      'gateway.enabled': false,
      'ingress.enabled': true,
      'ingress.portal': { enabled: true, annotations: { 'example.com/remove': 'Authorization' } },
    },
  ],
  ['no network policies', { 'networkPolicy.enabled': false }],
  ['other private networks', { 'networkPolicy.public': { ports: [443, 8443], networks: ['10.20.0.0/16'] } }],
  ['trust services', { 'networkPolicy.signing.peers': [{ ipBlock: { cidr: '192.0.2.0/24' } }] }],
  ['a SIEM', { 'networkPolicy.audit.peers': [{ ipBlock: { cidr: '192.0.2.0/24' } }] }],
  ['no scavenge', { 'scavenge.enabled': false }],
  ['no monitoring', { 'monitoring.serviceMonitor.enabled': false, 'monitoring.rules.enabled': false, 'monitoring.dashboards.enabled': false }],
  [
    'labels of the monitoring',
    { 'monitoring.serviceMonitor.labels': { release: 'prometheus' }, 'monitoring.rules.labels': { release: 'prometheus' } },
  ],
  ['two partitions', { 'engines.kafka.partitions': 2 }],
  ['a fixed number of replicas', { 'services.session-api.autoscaling.enabled': false, 'services.session-api.replicas': 5 }],
];

/** The API server's judgement of the objects, by its strictest rules. It does not store them. */
const check = (objects: readonly object[]): Promise<string> =>
  kubectl(
    ['--namespace', NAMESPACE, 'apply', '--server-side', '--validate=strict', '--dry-run=server', '--output', 'name', '--filename', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  );

const isAccepted = async (objects: readonly KubernetesObject[]): Promise<void> => {
  const names = (await check(objects)).trim().split('\n');
  expect(names).toHaveLength(objects.length);
};

beforeAll(() => makeNamespace(NAMESPACE));

describe('the API server accepts every object, and every field of it, of the chart', () => {
  it.each(valuesFiles)('with %s', (file) => isAccepted(render(file)));

  it.each(VARIANTS)('with %s', (_, set) => isAccepted(render('minimal-values.yaml', set)));
});

describe('the check', () => {
  const objects = render('certificates-values.yaml');
  const kinds = [...new Set(objects.map(({ kind }) => kind))].filter((kind) => kind !== 'ConfigMap' && kind !== 'ServiceAccount');

  it('sees the kinds of all four kinds of add-ons', () => {
    expect(kinds).toEqual(
      expect.arrayContaining([
        'HTTPRoute',
        'BackendTrafficPolicy',
        'SecurityPolicy',
        'ScaledObject',
        'TriggerAuthentication',
        'ServiceMonitor',
        'PrometheusRule',
      ]),
    );
  });

  it.each(kinds)('refuses an unknown field in the kind %s', async (kind) => {
    const object = objects.find((other) => other.kind === kind)!;
    await expect(check([{ ...object, spec: { ...object.spec, replicaz: 3 } }])).rejects.toThrow('replicaz');
  });

  it('refuses a value that a definition does not allow', async () => {
    const route = objects.find(({ kind }) => kind === 'HTTPRoute')!;
    await expect(check([{ ...route, spec: { ...route.spec, rules: [{ timeouts: { request: 'soon' } }] } }])).rejects.toThrow('timeouts.request');
    const scaled = objects.find(({ kind }) => kind === 'ScaledObject')!;
    await expect(check([{ ...scaled, spec: { ...scaled.spec, fallback: { ...scaled.spec.fallback, behavior: 'hope' } } }])).rejects.toThrow(
      'behavior',
    );
  });
});
