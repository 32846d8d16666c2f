import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { buildHelm } from '../../testkit/programs/helm/helm.ts';
import { PROGRAMS } from '../../testkit/programs/kubernetes/programs.ts';
import { CHART } from '../deploy/support/chart.ts';
import { environment, get, isReady, list, podsOf, removeNamespace, rolledOut } from './support/cluster.ts';

const NAMESPACE = 'countersign';

/** The commands of the README, in their order: a block for each of secrets, installation, upgrade and rollback, and the end. */
const blocks = [...readFileSync(join(CHART, 'README.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);

/** The files that the reader has in the folder where he runs the commands. */
const folder = mkdtempSync(join(tmpdir(), 'chart-reader-'));

beforeAll(() => {
  mkdirSync(join(folder, 'bin'));
  symlinkSync(buildHelm(), join(folder, 'bin/helm'));
  symlinkSync(PROGRAMS.kubectl, join(folder, 'bin/kubectl'));
  symlinkSync(join(CHART, '../..'), join(folder, 'deploy'));
  copyFileSync(join(CHART, 'ci/minimal-values.yaml'), join(folder, 'values.yaml'));
  mkdirSync(join(folder, 'secrets/keys'), { recursive: true });
  for (const name of ['token', 'pin', 'data', 'event', 'checkpoint', 'subject', 'index', 'openid'])
    writeFileSync(join(folder, `secrets/keys/${name}.json`), '{}');
  for (const name of ['event-store', 'kafka', 'redis', 'postgres']) {
    writeFileSync(join(folder, `secrets/${name}.password`), 'secret');
    writeFileSync(join(folder, `secrets/${name}.ca.crt`), 'certificate');
  }
  writeFileSync(join(folder, 'secrets/admin-token'), 'token');
  writeFileSync(join(folder, 'secrets/scavenge-credentials'), 'user:password');
});

afterAll(async () => {
  await removeNamespace(NAMESPACE);
  rmSync(folder, { recursive: true, force: true });
});

const follow = async (block: string): Promise<string> => {
  const env = { ...environment(), PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
  return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', block], { cwd: folder, env })).stdout;
};

it('has commands for secrets, installation, upgrade and end', () => {
  expect(blocks).toHaveLength(4);
});

it('makes the namespace and the secrets', async () => {
  await follow(blocks[0]!);
  const secrets = await list(NAMESPACE, 'secrets');
  expect(Object.fromEntries(secrets.map(({ metadata, data }) => [metadata.name, Object.keys(data ?? {}).sort()]))).toEqual({
    'countersign-keys': ['checkpoint.json', 'data.json', 'event.json', 'index.json', 'openid.json', 'pin.json', 'subject.json', 'token.json'],
    'countersign-admin': ['token'],
    'countersign-event-store': ['ca.crt', 'password'],
    'countersign-kafka': ['ca.crt', 'password'],
    'countersign-redis': ['ca.crt', 'password'],
    'countersign-postgres': ['ca.crt', 'password'],
    'countersign-scavenge': ['credentials'],
  });
});

it('installs, and waits until every deployment is there', async () => {
  const answer = await follow(blocks[1]!);
  expect(answer).toContain('STATUS: deployed');
  expect(answer.match(/successfully rolled out/g)).toHaveLength(10);
  await rolledOut(NAMESPACE);
  expect((await podsOf(NAMESPACE)).every(isReady)).toBe(true);
});

it('upgrades to other values and goes back', async () => {
  const values = readFileSync(join(folder, 'values.yaml'), 'utf8');
  writeFileSync(join(folder, 'values.yaml'), values.replace('settings: {', 'settings: { LOG_LEVEL: warn,'));
  const levels: (string | undefined)[] = [];
  for (const command of blocks[2]!.trim().split('\n')) {
    await follow(command);
    levels.push((await get(NAMESPACE, 'configmap', 'countersign-settings')).data?.['LOG_LEVEL']);
  }
  expect(levels[0]).toBe('warn');
  expect(levels.at(-1)).not.toBe('warn');
});

it('removes everything except the secrets', async () => {
  await follow(blocks[3]!);
  expect(await list(NAMESPACE, 'deployments,services,configmaps', 'app.kubernetes.io/name=countersign')).toEqual([]);
  expect(await list(NAMESPACE, 'secrets')).toHaveLength(7);
});
