import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { declaredUses, insidesUsedBy, type Manifest } from './package-insides.js';

const ROOT = join(import.meta.dirname, '../../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifestOf = (name: string): (Manifest & { readonly version: string }) | undefined => {
  const path = `node_modules/${name}/package.json`;
  return existsSync(join(ROOT, path)) ? (JSON.parse(text(path)) as Manifest & { readonly version: string }) : undefined;
};

const uses = declaredUses(text('docs/adr/0126-insides-of-packages.md'));
const { dependencies } = JSON.parse(text('package.json')) as { readonly dependencies: Readonly<Record<string, string>> };
/** What runs in production: no test, no test support. */
const sources = globSync('{libs,apps}/**/*.{ts,mts}', { cwd: ROOT }).filter(
  (path) => !/\.spec\.ts$|\.d\.ts$|\/(?:test|dist|node_modules)\//.test(path),
);

describe('the insides of packages', () => {
  it('are used where the decision says, and nowhere else', () => {
    const found = sources.flatMap((path) => insidesUsedBy(text(path), manifestOf).map((name) => `${name}: ${path}`));
    expect(sources.length).toBeGreaterThan(500);
    expect(found.sort()).toEqual(uses.flatMap(({ package: name, files }) => files.map((file) => `${name}: ${file}`)).sort());
  });

  it.each(uses)('of $package $version belong to the installed version, and $test names it', ({ package: name, version, test }) => {
    expect([dependencies[name], manifestOf(name)?.version]).toEqual([version, version]);
    expect(text(test)).toContain(`${name} ${version}`);
  });
});

describe('a source', () => {
  const used = (source: string): readonly string[] =>
    insidesUsedBy(
      source,
      (name) => ({ whole: {}, some: { exports: { '.': '', './part': '' } }, open: { exports: { './*': '' } }, kafkajs: {} })[name],
    );

  it.each([
    ["import a from 'whole';", []],
    ["import a from 'whole/deep.js';", ['whole']],
    ["import { a } from 'some/part';", []],
    ["import { a } from 'some/other';", ['some']],
    ["import { a } from 'open/inside.js';", ['open']],
    ["createRequire(import.meta.url)('whole/deep')", ['whole']],
    ["await import('some/other')", ['some']],
    ["import 'whole/deep.js';", ['whole']],
    ["import 'whole';", []],
    ["import.meta.resolve('some/other')", ['some']],
    ["import { readFileSync } from 'node:fs/promises';", []],
    ["import { Kafka } from 'kafkajs';\n(kafka as unknown as Inside).timers", ['kafkajs']],
    ["import a from 'whole';\n(a as unknown as B)", []],
    ["import { Kafka, type Consumer as Other } from 'kafkajs';\nclass Own extends Other { override run() {} }", ['kafkajs']],
    ["import { Kafka } from 'kafkajs';\nclass Own extends Kafka {}", []],
    ["import { Kafka } from 'kafkajs';\nclass Own extends Port { override run() {} }", []],
    ['const rules = getMetadataStorage();', ['class-validator']],
  ])('%j uses the insides of %j', (source, names) => {
    expect(used(source)).toEqual(names);
  });
});
