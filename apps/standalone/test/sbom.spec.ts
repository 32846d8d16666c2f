import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');

/** Old packages that only test. They state their licence, MIT, in a place that npm does not read. */
const WITH_LICENSES = ['passport-strategy', 'pause'];

interface Component {
  readonly name: string;
  readonly version: string;
  readonly properties: readonly { readonly name: string }[];
  readonly licenses?: readonly { readonly license?: { readonly id?: string; readonly name?: string }; readonly expression?: string }[];
  readonly hashes?: readonly { readonly alg: string }[];
}

describe('npm run sbom', () => {
  const document = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const { bomFormat, components } = JSON.parse(document) as { bomFormat: string; components: readonly Component[] };
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
    devDependencies: Readonly<Record<string, string>>;
  };

  it('lists every dependency at its version, in CycloneDX', () => {
    expect(bomFormat).toBe('CycloneDX');
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const wanted = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`);
    expect(wanted.length).toBeGreaterThan(20);
    expect(wanted.filter((dependency) => !listed.has(dependency))).toEqual([]);
  });

  const isTool = ({ properties }: Component) => properties.some(({ name }) => name === 'cdx:npm:package:development');

  it('marks what only builds and tests, which no image holds', () => {
    const tools = new Set(components.filter(isTool).map(({ name }) => name));
    expect(['jest', 'eslint', 'knip'].filter((name) => name in devDependencies && tools.has(name))).toHaveLength(3);
    const served = components.filter((component) => !isTool(component)).map(({ name }) => name);
    expect(Object.keys(dependencies).filter((name) => !served.includes(name))).toEqual([]);
  });

  it('gives each its licence and its hash', () => {
    expect(components.length).toBeGreaterThan(100);
    const without = (lacks: (component: Component) => boolean) => components.filter(lacks).map(({ name }) => name);
    expect(without(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'))).toEqual([]);
    expect(without(({ licenses }) => !licenses?.length)).toEqual(WITH_LICENSES);
    expect(without((component) => WITH_LICENSES.includes(component.name) && !isTool(component))).toEqual([]);
  });
});
