import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { loadPlatformSettings } from '#service/config';

import { services as servicesOfTopology } from '../../../testkit/topologies/services.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface ComposeService {
  readonly command?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: string;
  readonly image?: string;
  readonly volumes?: readonly string[];
}

let services: Record<string, ComposeService>;

beforeAll(async () => {
  services = (parse(await readFile(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as { services: typeof services }).services;
});

describe('docker-compose.yml', () => {
  it('runs the services of the local topology, as many replicas of each', () => {
    const composed = Object.entries(services)
      .filter(([, { command }]) => command?.at(-1)?.startsWith('dist/services/'))
      .map(([name, { command, deploy }]) => ({ name, main: command?.at(-1), replicas: deploy?.replicas }));
    expect(composed.sort((a, b) => a.name.localeCompare(b.name))).toEqual(
      servicesOfTopology
        .map(({ name, replicas }) => ({ name, main: `dist/services/${name}.js`, replicas }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    );
  });

  it('gives all services the settings file of the local processes', () => {
    for (const { name } of servicesOfTopology) expect(services[name]?.env_file).toBe('deploy/settings/services.env');
  });

  it('starts each service with valid settings on all three engines', async () => {
    const shared = parseEnv(await readFile(join(ROOT, 'deploy/settings/services.env'), 'utf8'));
    for (const { name } of servicesOfTopology) {
      const given = Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
        key,
        value.replace(/^\$\{LOG_LEVEL:-(\w+)\}$/, '$1').replace(/^\$\{.*\}$/, 'a-token-of-the-operator'),
      ]);
      const settings = loadPlatformSettings({ ...shared, ...Object.fromEntries(given) });
      expect(settings).toMatchObject({
        esdbUrl: expect.any(String),
        kafkaBrokers: expect.any(Array),
        redisUrl: expect.any(String),
        sandbox: false,
        demo: false,
      });
    }
  });

  it('gives PostgreSQL to the services that read or write read models, and to no other', () => {
    const given = servicesOfTopology.map(({ name }) => name).filter((name) => services[name]?.environment?.['POSTGRES_URL'] !== undefined);
    expect(given.sort()).toEqual(['registry', 'timers', 'webhook-dispatcher']);
  });

  it('takes each verified event store by one value, 24.10 without it, with its data in a volume', async () => {
    const page = await readFile(join(ROOT, 'docs/event-stores.md'), 'utf8');
    const images = [...page.matchAll(/^\| [^|]+ \| `([^`]+:[\d.]+)` \|/gm)].map(([, image]) => image);
    expect(images).toEqual(['eventstore/eventstore:23.10', 'eventstore/eventstore:24.10', 'kurrentplatform/kurrentdb:26.1']);
    expect(services['eventstore']?.image).toBe(`\${EVENT_STORE_IMAGE:-${images[1]}}`);
    const composed = await readFile(join(ROOT, 'docker-compose.yml'), 'utf8');
    for (const image of images) expect(composed).toContain(image);
    expect(services['eventstore']?.volumes).toEqual(['eventstore:/var/lib/eventstore', 'kurrentdb:/var/lib/kurrentdb']);
  });

  it('names the verified event stores with their licences beside the chart, the host and the manual', async () => {
    const places = [
      'deploy/helm/countersign/README.md',
      'deploy/helm/countersign/values.yaml',
      'deploy/production/countersign.env',
      'docs/operator.md',
    ];
    const names = ['EventStoreDB 23.10', 'BSD', 'EventStoreDB 24.10', 'Event Store License v2', 'KurrentDB 26.1', 'Kurrent License v1'];
    for (const place of places) {
      const text = (await readFile(join(ROOT, place), 'utf8')).replaceAll(/\n#? ?/g, ' ');
      expect(names.filter((name) => !text.includes(name)).map((name) => `${name} in ${place}`)).toEqual([]);
    }
  });

  it('sets every variable of the gateway', async () => {
    const template = await readFile(join(ROOT, 'deploy/nginx/countersign.conf.template'), 'utf8');
    const asked = new Set([...template.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => name));
    expect(Object.keys(services['gateway']?.environment ?? {}).sort()).toEqual([...asked].sort());
    for (const { upstream } of servicesOfTopology) if (upstream) expect(asked).toContain(upstream);
  });
});
