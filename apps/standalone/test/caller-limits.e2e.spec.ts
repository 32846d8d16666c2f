import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { InjectOptions } from 'fastify';

import { type Limit, MemoryRateLimits } from '#engines/rate-limit';
import type { HttpApp } from '#service/http';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';

import { createConsoleApp } from '../../console/src/app.js';
import { createDeviceApiApp } from '../../device-api/src/app.js';
import { createLoginBffApp } from '../../login-bff/src/app.js';
import { createOpenIdApp } from '../../openid/src/app.js';
import { createRegistryApp } from '../../registry/src/app.js';
import { createSessionApiApp } from '../../session-api/src/app.js';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = ['libs/{*,*/*}/src/**/*.ts', 'apps/*/src/**/*.ts'];
const TESTS = /\.(spec|contract|check|fixture)\.ts$/;
/** The names of limits, however they are made. */
const NAMES = [/new FailureThrottle\(\s*\w+,\s*'(?<name>[\w-]+)'/g, /\{\s*name: '(?<name>[\w-]+)',\s*(?:times|key|seconds)\b/g];
const MAKES = /new FailureThrottle\(|: Limit = |#\w+: Limit;|runAlone\(\{/g;

/** All limits, by what they count. */
const LIMITS: Readonly<Record<string, 'the caller' | 'another name' | 'the caller, in each process'>> = {
  'client-assertions': 'another name',
  'dpop-proofs': 'another name',
  'client-failures': 'the caller',
  'admin-failures': 'the caller',
  'app-failures': 'the caller',
  'login-failures': 'the caller',
  'portal-logins': 'the caller',
  'enrolment-failures': 'another name',
  'openid-polls': 'another name',
  polls: 'another name',
  pushes: 'another name',
  'pushes-of-person': 'another name',
  'webhook-pings': 'another name',
  'webhook-recoveries': 'another name',
  'logo-uploads': 'another name',
  'person-openings': 'another name',
  approvals: 'another name',
  listeners: 'another name',
  // Shown by libs/service/http/src/hold-refusals.spec.ts.
  'answered-at-once': 'the caller, in each process',
};

const sources = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).filter((path) => !TESTS.test(path));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** What may make a limit: a source that knows the counter, or the throttle over it. */
const counting = sources.filter((path) => /#engines\/rate-limit'|\bFailureThrottle\b|\.\/rate-limits\.js'/.test(textOf(path)));

describe('the inventory of limits', () => {
  it('names all that the sources make', () => {
    const found = counting.flatMap((path) =>
      NAMES.flatMap((pattern) => [...textOf(path).matchAll(pattern)].map(({ groups }) => groups?.['name'] ?? '')),
    );
    expect([...new Set(found)].sort()).toEqual(Object.keys(LIMITS).sort());
  });

  it('overlooks no source that makes one', () => {
    const makers = counting.filter((path) => MAKES.test(textOf(path)) || /import .*\bRateLimits\b.* from '#engines\/rate-limit'/.test(textOf(path)));
    const named = new Set(counting.filter((path) => NAMES.some((pattern) => [...textOf(path).matchAll(pattern)].length > 0)));
    const without = makers.filter((path) => !named.has(path) && !path.startsWith('libs/engines/rate-limit/'));
    // The throttle gets its name from its maker and a budget from its route, the others hand on the counter.
    expect(without.sort()).toEqual(HANDING_ON);
  });
});

const HANDING_ON = [
  'apps/console/src/console.module.ts',
  'libs/domain/openid/src/openid-use-cases.ts',
  'libs/domain/session/src/session-use-cases.ts',
  'libs/domain/webhook/src/listening/listening-use-cases.ts',
  'libs/service/http/src/failure-throttle.ts',
  'libs/service/http/src/route-budgets.ts',
  'libs/service/platform/src/platform-parts.ts',
];

describe('every limit by caller, behind a proxy', () => {
  const taken: { readonly limit: string; readonly key: string }[] = [];

  class NotedLimits extends MemoryRateLimits {
    override take(limit: Limit, key: string, reason: string): Promise<void> {
      taken.push({ limit: limit.name, key });
      return super.take(limit, key, reason);
    }
  }

  let platform: TestPlatform;
  let apps: Readonly<Record<'sessionApi' | 'registry' | 'deviceApi' | 'loginBff' | 'console' | 'openId', HttpApp>>;
  beforeAll(async () => {
    platform = await testPlatform({ TRUSTED_PROXIES: '10.0.0.0/8', AUTHENTICATION_FAILURE_LIMIT: '100000' }, { rateLimits: new NotedLimits() });
    apps = {
      sessionApi: await createSessionApiApp(platform),
      registry: await createRegistryApp(platform),
      deviceApi: await createDeviceApiApp(platform),
      loginBff: await createLoginBffApp(platform),
      console: await createConsoleApp(platform),
      openId: await createOpenIdApp(platform),
    };
  });
  afterAll(async () => {
    platform.stop();
    for (const app of Object.values(apps)) await app.close();
    await platform.close();
  });

  interface Counted {
    readonly limit: string;
    readonly app: keyof typeof apps;
    readonly request: Pick<InjectOptions, 'method' | 'url' | 'payload'> & { readonly headers?: Readonly<Record<string, string>> };
  }

  /** A request that each limit counts. */
  const COUNTED: readonly Counted[] = [
    { limit: 'client-failures', app: 'sessionApi', request: { method: 'POST', url: '/relying-party/v1/session' } },
    { limit: 'client-failures', app: 'openId', request: { method: 'POST', url: '/openid/token' } },
    { limit: 'client-failures', app: 'openId', request: { method: 'GET', url: '/openid/userinfo' } },
    { limit: 'admin-failures', app: 'registry', request: { method: 'GET', url: '/admin/v1/clients', headers: { authorization: 'Bearer wrong' } } },
    {
      limit: 'admin-failures',
      app: 'registry',
      request: { method: 'GET', url: '/admin/v1/clients', headers: { cookie: 'svc_portal=wrong', 'x-service-portal': '1' } },
    },
    { limit: 'app-failures', app: 'deviceApi', request: { method: 'GET', url: '/app/v1/session/pending' } },
    { limit: 'app-failures', app: 'deviceApi', request: { method: 'POST', url: '/app/v1/device', payload: {} } },
    { limit: 'login-failures', app: 'loginBff', request: { method: 'POST', url: '/login-ui/v1/session/claim', payload: {} } },
    {
      limit: 'portal-logins',
      app: 'console',
      request: { method: 'POST', url: '/portal/v1/login', payload: {}, headers: { 'x-service-portal': '1' } },
    },
  ];

  const callerOf = async ({ limit, app, request }: Counted, forwarded: string, remoteAddress = '10.0.0.1'): Promise<string> => {
    taken.splice(0);
    const headers = { ...request.headers, 'x-forwarded-for': forwarded };
    await apps[app].inject({ ...request, remoteAddress, headers });
    const keys = taken.filter((each) => each.limit === limit).map(({ key }) => key);
    expect(keys).toHaveLength(1);
    return keys[0]!;
  };

  it('is counted by a request of this test', () => {
    const byCaller = Object.keys(LIMITS).filter((name) => LIMITS[name] === 'the caller');
    expect([...new Set(COUNTED.map(({ limit }) => limit))].sort()).toEqual(byCaller.sort());
  });

  const ONE_CALLER: Readonly<Record<string, readonly string[]>> = {
    '4 203.0.113.10': [
      ...['203.0.113.10', '203.0.113.10:41000', '203.0.113.10:41001', '203.0.113.10:_a1', '::ffff:203.0.113.10', '[::ffff:203.0.113.10]:5'],
      ...['198.51.100.7, 203.0.113.10:41000', 'unknown,203.0.113.10', '203.0.113.10:41000, 10.9.9.9:80', '203.0.113.10, [::ffff:10.9.9.9]:80'],
    ],
    '4 203.0.113.11': ['203.0.113.11', '203.0.113.10, 203.0.113.11:1'],
    '6 2001:db8:0:1': ['2001:db8:0:1::1', '2001:db8:0:1:ffff::9', '[2001:db8:0:1::7]', '[2001:DB8:0:1::7]:41000', '[2001:db8:0:1::7]:_x'],
    '6 2001:db8:0:2': ['2001:db8:0:2::1', '[2001:db8:0:2::1]:1'],
    'no address': ['unknown', 'unknown:41000', '_hidden', '_other', '203.0.113.10, unknown', '203.0.113', '"203.0.113.10"', '%', 'x'.repeat(4_000)],
  };

  it.each(COUNTED.map((counted) => [counted.limit, counted.request.url, counted] as const))(
    '%s counts the callers of the proxy, at %s',
    async (_, _url, counted) => {
      for (const [caller, values] of Object.entries(ONE_CALLER))
        for (const value of values) expect([value, await callerOf(counted, value)]).toEqual([value, caller]);
    },
  );

  it.each(COUNTED.map((counted) => [counted.limit, counted.request.url, counted] as const))(
    '%s takes X-Forwarded-For from no one else, at %s',
    async (_, _url, counted) => {
      for (const value of ['203.0.113.10', 'unknown', '10.0.0.1']) expect(await callerOf(counted, value, '192.0.2.1')).toBe('4 192.0.2.1');
    },
  );
});
