import { describe, expect, it } from '@jest/globals';

import { type KubernetesObject, ofKind, render, settingOf, valuesFiles } from './support/chart.ts';

interface Rule {
  readonly matches: readonly [{ readonly path: { readonly value: string } }];
  readonly filters: readonly [{ readonly requestHeaderModifier: { readonly remove: readonly string[] } }];
  readonly backendRefs: readonly [{ readonly name: string; readonly port: number }];
  readonly timeouts: object;
}

interface IngressPath {
  readonly path: string;
  readonly backend: { readonly service: { readonly name: string } };
}

const routes = (objects: readonly KubernetesObject[]): readonly (readonly [string, string, string])[] =>
  ofKind(objects, 'HTTPRoute').flatMap(({ spec }) =>
    (spec.rules as Rule[]).map(({ matches: [{ path }], backendRefs: [{ name }] }) => [spec.hostnames[0] as string, path.value, name] as const),
  );

const removedBy = ([{ requestHeaderModifier }]: Rule['filters']): readonly string[] => requestHeaderModifier.remove;

const rulesOf = (objects: readonly KubernetesObject[]): readonly Rule[] => ofKind(objects, 'HTTPRoute').flatMap(({ spec }) => spec.rules as Rule[]);

const minimal = render('minimal-values.yaml');
const full = render('certificates-values.yaml');
const policy = (objects: readonly KubernetesObject[]) => ofKind(objects, 'BackendTrafficPolicy')[0]!.spec;

describe('the routes of the gateway', () => {
  it('lead to the services by host and path, as those of nginx do', () => {
    expect(routes(minimal)).toEqual([
      ['api.example.com', '/', 'demo-session-api'],
      ['api.example.com', '/.well-known/oauth-authorization-server', 'demo-openid'],
      ['api.example.com', '/app', 'demo-device-api'],
      ['api.example.com', '/login-ui', 'demo-login-bff'],
      ['api.example.com', '/openid', 'demo-openid'],
      ['api.example.com', '/relying-party', 'demo-session-api'],
      ['login.example.com', '/', 'demo-login-bff'],
      ['phone.example.com', '/', 'demo-device-api'],
      ['portal.example.com', '/', 'demo-console'],
      ['portal.example.com', '/admin', 'demo-registry'],
      ['portal.example.com', '/portal', 'demo-console'],
    ]);
  });

  it.each(valuesFiles)('lead each path of a host to a service, which answers those that it does not have: %s', (file) => {
    const objects = render(file);
    const rooted = [
      ...routes(objects).map(([host, path]) => [host, path]),
      ...ofKind(objects, 'Ingress').flatMap(({ spec }) =>
        (spec.rules[0].http.paths as IngressPath[]).map(({ path }) => [spec.rules[0].host as string, path] as const),
      ),
    ];
    const hosts = new Set(rooted.map(([host]) => host));
    expect(hosts.size).toBeGreaterThan(1);
    for (const host of hosts) expect(rooted.filter(([at, path]) => at === host && path === '/')).toHaveLength(1);
  });

  it('lead to the portal at the root of its host, and by its paths', () => {
    expect(routes(full).filter(([host]) => host === 'portal.example.com')).toEqual([
      ['portal.example.com', '/', 'demo-console'],
      ['portal.example.com', '/admin', 'demo-registry'],
      ['portal.example.com', '/portal', 'demo-console'],
    ]);
  });

  it('lead to ports that the services have', () => {
    const ports = new Map(ofKind(full, 'Service').map(({ metadata, spec }) => [metadata.name, spec.ports[0]]));
    for (const { backendRefs } of rulesOf(full)) expect(ports.get(backendRefs[0].name)).toMatchObject({ name: 'http', port: backendRefs[0].port });
  });

  it('show the admin API only to the networks of the staff', () => {
    expect(ofKind(minimal, 'SecurityPolicy')).toEqual([]);
    expect(routes(full)).toContainEqual(['api.example.com', '/admin', 'demo-registry']);
    const [security] = ofKind(full, 'SecurityPolicy');
    expect(security!.spec.targetRefs).toMatchObject([{ kind: 'HTTPRoute', name: 'demo-admin' }]);
    expect(security!.spec.authorization).toMatchObject({
      defaultAction: 'Deny',
      rules: [{ action: 'Allow', principal: { clientCIDRs: ['198.51.100.0/24'] } }],
    });
    expect(() => render('certificates-values.yaml', { 'gateway.envoy': false })).toThrow('/gateway/admin/cidrs');
  });

  it('drop what callers claim about themselves, and wait for long polls', () => {
    for (const { filters, timeouts } of rulesOf(full)) {
      expect(removedBy(filters)).toEqual(expect.arrayContaining(['Forwarded', 'X-Forwarded-Host', 'X-Forwarded-Prefix', 'X-Real-IP']));
      expect(timeouts).toEqual({ request: '45s' });
    }
  });

  it.each([
    ['minimal', minimal],
    ['full', full],
  ])('take tokens out of all requests at the host of the portal, and of no others: %s', (_file, objects) => {
    const dropping = ofKind(objects, 'HTTPRoute').map(({ spec }) => [
      spec.hostnames[0] as string,
      ...new Set((spec.rules as Rule[]).map(({ filters }) => removedBy(filters).includes('Authorization'))),
    ]);
    expect(dropping.length).toBeGreaterThan(3);
    for (const route of dropping) expect(route).toEqual([route[0], route[0] === 'portal.example.com']);
  });

  it('keep the portal off the host of another page or API', () => {
    for (const host of ['api', 'login', 'phone'])
      expect(() => render('minimal-values.yaml', { 'urls.portal': `https://${host}.example.com/portal` })).toThrow('urls.portal needs a host of its own');
  });

  it('keep the phone off the host of the API and of the login page', () => {
    for (const host of ['api', 'login'])
      expect(() => render('minimal-values.yaml', { 'urls.app': `https://${host}.example.com/phone` })).toThrow('urls.app needs a host of its own');
  });
});

describe('the traffic policy of the gateway', () => {
  it('belongs to every route', () => {
    const names = ofKind(full, 'HTTPRoute').map(({ metadata }) => metadata.name);
    expect((policy(full).targetRefs as { name: string }[]).map(({ name }) => name)).toEqual(names);
  });

  it('repeats only requests that no replica has received', () => {
    expect(policy(full).retry.retryOn).toEqual({ triggers: ['connect-failure', 'reset-before-request'] });
  });

  it.each(valuesFiles)('closes idle connections before the services do, with %s', (file) => {
    const objects = render(file);
    for (const { spec } of ofKind(objects, 'BackendTrafficPolicy'))
      expect(Number.parseInt(spec.timeout.http.connectionIdleTimeout as string, 10)).toBeLessThan(Number(settingOf(objects, 'IDLE_GRACE')));
  });

  it('leaves out a replica by failed connections, and counts requests by address when it is told to', () => {
    expect(policy(minimal).healthCheck.passive).toMatchObject({ splitExternalLocalOriginErrors: true, consecutiveLocalOriginFailures: 3 });
    expect(policy(minimal).rateLimit).toBeUndefined();
    expect(policy(full).rateLimit.global.rules[0].limit).toEqual({ requests: 50, unit: 'Second' });
  });
});

describe('ingress in place of the gateway', () => {
  const bare = render('bare-values.yaml', { 'gateway.admin.cidrs': ['198.51.100.0/24'] });

  const paths = (objects: readonly KubernetesObject[]) =>
    ofKind(objects, 'Ingress').flatMap(({ spec }) =>
      (spec.rules[0].http.paths as IngressPath[]).map(({ path, backend }) => [spec.rules[0].host as string, path, backend.service.name]),
    );

  it('leads to the same services, over TLS, and never to the admin API', () => {
    expect(ofKind(bare, 'HTTPRoute')).toEqual([]);
    expect(paths(bare)).toEqual([
      ['id.example.com', '/', 'demo-session-api'],
      ['id.example.com', '/.well-known/oauth-authorization-server', 'demo-openid'],
      ['id.example.com', '/app', 'demo-device-api'],
      ['id.example.com', '/login-ui', 'demo-login-bff'],
      ['id.example.com', '/openid', 'demo-openid'],
      ['id.example.com', '/relying-party', 'demo-session-api'],
      ['id.example.com', '/login', 'demo-login-bff'],
      ['phone.example.com', '/', 'demo-device-api'],
    ]);
    for (const { spec } of ofKind(bare, 'Ingress')) expect(spec.tls[0]).toEqual({ hosts: [spec.rules[0].host], secretName: 'countersign-tls' });
  });

  it('leads to the portal only with the annotations that take tokens out of requests', () => {
    const annotations = { 'example.com/remove-request-headers': 'Authorization' };
    const objects = render('bare-values.yaml', { 'ingress.portal': { enabled: true, annotations }, 'ingress.annotations': { 'example.com/body': '0' } });
    expect(paths(objects).slice(paths(bare).length)).toEqual([
      ['portal.example.com', '/', 'demo-console'],
      ['portal.example.com', '/admin', 'demo-registry'],
      ['portal.example.com', '/portal', 'demo-console'],
    ]);
    expect(ofKind(objects, 'Ingress').map(({ metadata }) => metadata.annotations)).toEqual([
      ...Array<object>(3).fill({ 'example.com/body': '0' }),
      { 'example.com/body': '0', ...annotations },
    ]);
    expect(() => render('bare-values.yaml', { 'ingress.portal.enabled': true })).toThrow('/ingress/portal/annotations');
  });
});
