import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { loadPlatformSettings } from '#config';

const ROOT = join(import.meta.dirname, '../../..');

interface ComposeService {
  readonly command?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: string;
}

let services: Record<string, ComposeService>;
let topology: { services: readonly { name: string; replicas: number; upstream?: string }[] };

beforeAll(async () => {
  services = (parse(await readFile(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as { services: typeof services }).services;
  topology = (await import(join(ROOT, 'tools/distributed/services.mjs'))) as typeof topology;
});

describe('docker-compose.yml', () => {
  it('runs the services of the local topology, as many replicas of each', () => {
    const composed = Object.entries(services)
      .filter(([, { command }]) => command?.[1]?.startsWith('dist/apps/'))
      .map(([name, { command, deploy }]) => ({ name, main: command?.[1], replicas: deploy?.replicas }));
    expect(composed.sort((a, b) => a.name.localeCompare(b.name))).toEqual(
      topology.services
        .map(({ name, replicas }) => ({ name, main: `dist/apps/${name}/src/main.js`, replicas }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    );
  });

  it('gives all of them the settings file that local processes read', () => {
    for (const { name } of topology.services) expect(services[name]?.env_file).toBe('deploy/settings/services.env');
  });

  it('starts each of them with settings that it takes, on all three engines', async () => {
    const shared = parseEnv(await readFile(join(ROOT, 'deploy/settings/services.env'), 'utf8'));
    for (const { name } of topology.services) {
      const given = Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, value.replace(/^\$\{LOG_LEVEL:-(\w+)\}$/, '$1').replace(/^\$\{.*\}$/, 'a-token-of-the-operator')]);
      const settings = loadPlatformSettings({ ...shared, ...Object.fromEntries(given) });
      expect(settings).toMatchObject({ esdbUrl: expect.any(String), kafkaBrokers: expect.any(Array), redisUrl: expect.any(String), sandbox: false, demo: false });
    }
  });

  it('fills in everything that the gateway asks for', async () => {
    const template = await readFile(join(ROOT, 'deploy/nginx/countersign.conf.template'), 'utf8');
    const asked = new Set([...template.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => name));
    expect(Object.keys(services['gateway']?.environment ?? {}).sort()).toEqual([...asked].sort());
    for (const { upstream } of topology.services) if (upstream) expect(asked).toContain(upstream);
  });
});
