import { describe, expect, it } from '@jest/globals';

import { type KubernetesObject, ofKind, render } from './support/chart.ts';

const policies = (objects: readonly KubernetesObject[]) => new Map(ofKind(objects, 'NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec]));
const minimal = policies(render('minimal-values.yaml'));

const namesWith = (prefix: string): readonly string[] => [...minimal.keys()].filter((name) => name.endsWith(prefix)).sort();

describe('network policies', () => {
  it('deny everything that no other policy allows', () => {
    const { podSelector, policyTypes, ingress, egress } = minimal.get('demo-default-deny');
    expect(podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'countersign', 'app.kubernetes.io/instance': 'demo' });
    expect({ policyTypes, ingress, egress }).toEqual({ policyTypes: ['Ingress', 'Egress'], ingress: undefined, egress: undefined });
  });

  it('let the gateway reach the services that it leads to, and their public port alone', () => {
    expect(namesWith('-gateway')).toEqual([
      'demo-console-gateway',
      'demo-device-api-gateway',
      'demo-login-bff-gateway',
      'demo-openid-gateway',
      'demo-registry-gateway',
      'demo-session-api-gateway',
    ]);
    for (const name of namesWith('-gateway')) expect(minimal.get(name).ingress).toMatchObject([{ ports: [{ port: 'http' }] }]);
  });

  it('let the dispatcher, device-api, openid and session-api reach public addresses, and no private one', () => {
    expect(namesWith('-public')).toEqual(['demo-device-api-public', 'demo-openid-public', 'demo-session-api-public', 'demo-webhook-dispatcher-public']);
    const [{ to, ports }] = minimal.get('demo-webhook-dispatcher-public').egress;
    expect(ports).toEqual([{ port: 443, protocol: 'TCP' }]);
    expect(to[0].ipBlock.except).toEqual(expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8']));
    expect(to[1].ipBlock.cidr).toBe('2000::/3');
  });

  it('let console reach the gateway, as a relying party of the API, and no public address', () => {
    expect(namesWith('-base')).toEqual(['demo-console-base']);
    expect(minimal.get('demo-console-base')).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/component': 'console' } },
      policyTypes: ['Egress'],
      egress: [{ to: [{ namespaceSelector: expect.anything() }], ports: [443, 8443, 10443].map((port) => ({ port, protocol: 'TCP' })) }],
    });
  });

  it('let every pod reach the server of checkpoints that is named, and none by default', () => {
    expect(minimal.has('demo-checkpoints')).toBe(false);
    const { podSelector, egress } = policies(render('accounts-values.yaml')).get('demo-checkpoints');
    expect(podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'countersign', 'app.kubernetes.io/instance': 'demo' });
    expect(egress).toEqual([{ to: [{ ipBlock: { cidr: '192.0.2.20/32' } }], ports: [{ port: 443, protocol: 'TCP' }] }]);
  });

  it.each(['signing', 'device-api'])('let %s reach the trust services that are named, and none by default', (app) => {
    expect(minimal.has(`demo-${app}-trust-services`)).toBe(false);
    const given = policies(render('certificates-values.yaml'));
    expect(given.get(`demo-${app}-trust-services`).egress).toEqual([
      { to: [{ ipBlock: { cidr: '192.0.2.10/32' } }], ports: [{ port: 80, protocol: 'TCP' }, { port: 443, protocol: 'TCP' }] },
    ]);
    expect(given.has('demo-event-relay-trust-services')).toBe(false);
  });

  it('let event-relay reach the time-stamping authorities where checkpoints get time-stamps', () => {
    const given = policies(render('certificates-values.yaml', { 'settings.ANCHOR_TIMESTAMPS': 'true' }));
    expect(given.get('demo-event-relay-trust-services').egress).toMatchObject([{ to: [{ ipBlock: { cidr: '192.0.2.10/32' } }] }]);
  });
});
