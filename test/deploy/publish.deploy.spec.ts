import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { publishedFolders } from '../../tools/packages/published-folders.js';

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly package: readonly string[] } };
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }[];
}

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const workflow = parse(read('.github/workflows/publish.yml')) as {
  readonly on: unknown;
  readonly permissions: object;
  readonly jobs: Readonly<Record<'pack' | 'publish', Job>>;
};
const { pack, publish } = workflow.jobs;
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const commandsOf = ({ steps }: Job): readonly string[] => steps.flatMap(({ run }) => run ?? []);
const actionsOf = ({ steps }: Job): readonly string[] => steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []);

describe('the workflow that publishes the packages', () => {
  it('runs for a tag of a version alone', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
  });

  it('gives the right to publish to one job, after the tests, in an environment, and no other right to anyone', () => {
    expect(Object.keys(workflow.jobs)).toEqual(['pack', 'publish']);
    expect([workflow.permissions, pack.permissions, publish.permissions]).toEqual([{}, { contents: 'read' }, { 'id-token': 'write' }]);
    expect([publish.needs, publish.environment, pack.environment]).toEqual(['pack', 'npm', undefined]);
  });

  it('runs neither code of the repository nor of packages beside the token', () => {
    expect(actionsOf(publish)).toEqual(['actions/setup-node', 'actions/download-artifact']);
    expect(commandsOf(publish)).toEqual(['npm publish --ignore-scripts "./countersign-$PACKAGE-${GITHUB_REF_NAME#v}.tgz"']);
    expect(pack.steps[0]?.with).toEqual({ 'persist-credentials': false });
  });

  it('packs and tests by the scripts of the project', () => {
    const [install, ...others] = commandsOf(pack);
    expect(install).toBe('npm ci --no-audit --no-fund');
    const named = others.map((command) => /^npm run ([\w:-]+)(?: -- "\$GITHUB_REF_NAME")?$/.exec(command)?.[1] ?? command);
    expect(named).toEqual(['release:check', 'test:packages', 'first-hour']);
    expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
  });

  it('publishes each package that is packed, and no other', () => {
    const names = publishedFolders(ROOT).map((folder) => (JSON.parse(read(`${folder}/package.json`)) as { name: string }).name);
    expect(publish.strategy?.matrix.package.map((name) => `@countersign/${name}`)).toEqual(names);
  });

  it('puts no value of an event into a command', () => {
    for (const command of [...commandsOf(pack), ...commandsOf(publish)]) expect(command).not.toContain('${{');
  });

  it('takes no secret', () => {
    expect(read('.github/workflows/publish.yml')).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/);
  });
});
