import { describe, expect, it } from '@jest/globals';

import { loadPlatformSettings, PlatformSettings, settingsTable } from '#service/config';

import { component, environmentOf, ofKind, podOf, render, valuesFiles } from './support/chart.ts';

const known = new Set([...settingsTable(PlatformSettings).matchAll(/^\| `([A-Z0-9_]+)`/gm)].map(([, name]) => name));

describe.each(valuesFiles)('the settings of the chart with %s', (file) => {
  const objects = render(file);
  const deployments = ofKind(objects, 'Deployment');
  const pods = [...deployments, ...ofKind(objects, 'CronJob')].map((object) => [component(object), podOf(object)] as const);

  it.each(pods)('are settings that the services have: %s', (_name, { containers: [container] }) => {
    expect(known.size).toBeGreaterThan(40);
    expect(Object.keys(environmentOf(objects, container)).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(deployments.map((deployment) => [component(deployment), podOf(deployment)] as const))('start the service: %s', (name, { containers: [container] }) => {
    const settings = loadPlatformSettings(environmentOf(objects, container));
    expect(settings.trustedProxies).not.toEqual([]);
    expect(settings).toMatchObject({ host: '0.0.0.0', opsPort: 9090, sandbox: false, demo: false });
    expect(settings.esdbUrl && settings.kafkaBrokers && settings.redisUrl).toBeTruthy();
    expect(new URL(settings.portalUrl).host).toBe('portal.example.com');
    expect(settings.internalUrl).toBe(settings.baseUrl);
    expect(settings.serviceName).toBe(name);
    expect([name, settings.postgresUrl !== undefined]).toEqual([name, ['registry', 'webhook-dispatcher', 'timers'].includes(name)]);
  });

  it.each(pods)('name files that are mounted: %s', (_name, { containers: [container], volumes }) => {
    const { volumeMounts } = container;
    const files = Object.entries(environmentOf(objects, container)).filter(([name]) => /_FILE$|_DIR$/.test(name));
    expect(files.length).toBeGreaterThan(0);
    for (const [, path] of files)
      expect(volumeMounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))).toBe(true);
    const made = new Set(volumes.map(({ name }) => name));
    expect(volumeMounts.filter(({ name }) => !made.has(name))).toEqual([]);
  });
});

describe('the name of a service in traces', () => {
  it('is the one that the operator chose, beside the other settings of the service', () => {
    const objects = render('minimal-values.yaml', { 'services.signing.settings': { OTEL_SERVICE_NAME: 'seals', LOG_LEVEL: 'debug' } });
    const signing = podOf(ofKind(objects, 'Deployment').find((object) => component(object) === 'signing')!).containers[0];
    expect(environmentOf(objects, signing)).toMatchObject({ OTEL_SERVICE_NAME: 'seals', LOG_LEVEL: 'debug' });
  });
});

describe('values that are refused', () => {
  const refusal = (set: Readonly<Record<string, unknown>>): string => {
    try {
      render('minimal-values.yaml', set);
      return '';
    } catch (error) {
      return String((error as { stderr?: unknown }).stderr);
    }
  };

  it.each([
    ['an image by tag', { 'image.digest': 'latest' }, "'/image/digest'"],
    ['an environment for one machine', { environment: 'development' }, "'/environment'"],
    ['an address without https', { 'urls.base': 'http://api.example.com' }, "'/urls/base'"],
    ['a portal without https', { 'urls.portal': 'http://portal.example.com' }, "'/urls/portal'"],
    ['an engine without TLS', { 'engines.redis.url': 'redis://redis:6379' }, "'/engines/redis/url'"],
    ['no network of the gateway', { trustedProxies: [] }, "'/trustedProxies'"],
    ['a single replica', { 'services.signing.replicas': 1 }, "'/services/signing/replicas'"],
    ['a value that does not exist', { 'services.signing.replica': 3 }, "'/services/signing'"],
    ['a service that does not exist', { 'services.sandbox': {} }, "'/services'"],
    ['an account of a service that does not exist', { 'engines.kafka.accounts': { sandbox: { secret: 'one' } } }, "invalid propertyName 'sandbox'"],
    ['an account without a secret', { 'engines.redis.accounts': { signing: { user: 'signing' } } }, "'/engines/redis/accounts/signing'"],
    ['no place for the checkpoints', { settings: { LOG_LEVEL: 'warn' } }, "'/settings'"],
    ['a server for the checkpoints without a token', { settings: { ANCHOR_URL: 'https://checkpoints.example' } }, "'/settings'"],
    ['a server for the checkpoints without TLS', { 'settings.ANCHOR_URL': 'http://checkpoints.example' }, "'/settings/ANCHOR_URL'"],
    ['a setting that the chart makes itself', { settings: { ENVIRONMENT: 'test' } }, "invalid propertyName 'ENVIRONMENT'"],
  ])('%s', (_what, set, message) => {
    expect(refusal(set)).toContain(message);
  });
});
