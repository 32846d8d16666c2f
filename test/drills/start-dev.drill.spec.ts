import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../testkit/processes/reserve-port.ts';
import { RelyingParty, runDirectory, secret, Service, Staff, UNKNOWN_SESSION, word } from '../support/index.js';

/*
 * `npm run start:dev` on a copy of the sources, with the processes that it starts: a saved change is in the next answer, over the same data.
 */
/** Of a restart, and of the first build. Milliseconds. */
const TIME_LIMIT = 120_000;
const BUILD_TIME = 400_000;
const COPIED = ['apps', 'libs', 'examples', 'testkit', 'tools', 'docs', 'package.json', 'tsconfig.json', 'CHANGELOG.md'];
const CATALOGUE = 'libs/service/http/src/error-catalogue.ts';
const TEXT = 'The client does not exist.';

const copy = join(runDirectory(), 'start-dev.data');
const log = join(runDirectory(), 'start-dev.log');
let tool: ChildProcess;
let staff: Staff;
let client: RelyingParty;

const answer = async (): Promise<string> =>
  staff.call('GET', `/clients/${UNKNOWN_SESSION}`).then(
    ({ json }) => String(json?.['defaultTranslation']),
    () => 'no answer',
  );

/** Saves the catalogue with another text, as an editor does. */
const save = async (text: string): Promise<void> => {
  const path = join(copy, CATALOGUE);
  await writeFile(path, (await readFile(resolve(CATALOGUE), 'utf8')).replace(`'${TEXT}'`, text));
};

const lines = async (part: string): Promise<number> => (await readFile(log, 'utf8')).split(part).length - 1;

beforeAll(async () => {
  await mkdir(copy);
  for (const name of COPIED) await cp(resolve(name), join(copy, name), { recursive: true });
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  const port = await reservePort();
  const adminToken = secret('admin token', `start-dev-${word()}`);
  await using output = await open(log, 'w');
  const settings = { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(copy, 'data'), ADMIN_TOKEN: adminToken, DEMO: 'false' };
  tool = spawn(process.execPath, ['tools/dev/start.ts'], {
    cwd: copy,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', output.fd, output.fd],
  });
  const service = new Service([`http://127.0.0.1:${port}`], `http://127.0.0.1:${port}/login`, adminToken, 0);
  staff = new Staff(service);
  await eventually(async () => (await answer()) === TEXT, { what: 'the service answers', within: BUILD_TIME });
  client = await RelyingParty.register(service);
}, 2 * BUILD_TIME);

afterAll(async () => {
  tool?.kill('SIGTERM');
  // A search of the run's files must not follow the link.
  await rm(join(copy, 'node_modules'), { force: true });
});

describe('npm run start:dev', () => {
  it('restarts after a saved change, on the same data', async () => {
    await save(`'The drill has changed this text.'`);
    await eventually(async () => (await answer()) === 'The drill has changed this text.', { what: 'the new answer', within: TIME_LIMIT });
    expect((await staff.call('GET', `/clients/${client.clientId}`)).status).toBe(200);
  });

  it('keeps the process from before while a file does not compile, and restarts once it does', async () => {
    await save(`'half a line`);
    await eventually(async () => (await lines('the build failed')) === 1, { what: 'the fault is shown', within: TIME_LIMIT });
    expect(await answer()).toBe('The drill has changed this text.');
    await save(`'The drill has mended this text.'`);
    await eventually(async () => (await answer()) === 'The drill has mended this text.', { what: 'the mended answer', within: TIME_LIMIT });
  });

  it('ends with its service on SIGTERM', async () => {
    const ended = once(tool, 'exit');
    tool.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await answer()).toBe('no answer');
  });
});
