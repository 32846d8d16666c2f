import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';

import { portalClientId } from '#domain/relying-party';

import { UNKNOWN, directory, cli, standalone, useCli } from './cli.fixture.js';

// Each command is a process, and some tests need many of them.
jest.setTimeout(240_000);

useCli();

describe('errors are reported for', () => {
  it.each([
    [
      'a refusal, with the field',
      ['clients', 'create', '--name', 'x', '--redirect-uri', 'https://a.example/cb'],
      1,
      /^error: invalid_request: .*name/,
    ],
    [
      'an address that is no redirect URI',
      ['clients', 'create', '--name', 'Shop X', '--redirect-uri', 'ftp://a.example'],
      1,
      /^error: invalid_request: .*redirect_uris/,
    ],
    ['a field that is missing', ['identities', 'create', '--given-name', 'Mari'], 1, /^error: invalid_request: .*personal_code/],
    ['an unknown client', ['clients', 'show', UNKNOWN], 1, /^error: client_not_found/],
    ['an id that would leave its path', ['clients', 'show', '../identities'], 1, /^error: client_not_found/],
    ['an unknown session', ['session', 'timeline', UNKNOWN], 1, /^error: session_not_found/],
    ['an unknown command', ['clients', 'lits'], 2, /unknown command 'lits'[^]*Did you mean list\?/],
    ['an option that is missing', ['clients', 'create'], 2, /required option '--name <name>' not specified/],
    ['an option that does not exist', ['clients', 'list', '--token', 'x'], 2, /unknown option '--token'/],
    ['a file that is not there', ['identities', 'create', '--file', '/nowhere/person.json'], 2, /^error: --file: .* cannot be read/],
  ])('%s', async (_, parameters, exitCode, message) => {
    const outcome = await cli(parameters);
    expect(outcome).toMatchObject({ exitCode, stdout: '' });
    expect(outcome.stderr).toMatch(message);
  });

  it("a command that would change the service's own client, each of which the service refuses", async () => {
    const { keys, settings } = standalone.platform;
    const own = portalClientId(keys.index, settings.environment);
    for (const command of [
      ['clients', 'update', own, '--name', 'Shop'],
      ['clients', 'rotate-secret', own, '--yes'],
      ['clients', 'delete', own, '--yes'],
    ])
      expect(await cli(command)).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error: forbidden: .*the service's own client/),
      });
    expect((await cli(['clients', 'show', own])).exitCode).toBe(0);
  });

  it('a file that holds no JSON object', async () => {
    for (const input of ['', '[]', '{', '"Mari"']) {
      expect(await cli(['identities', 'create', '--file', '-'], {}, input)).toMatchObject({
        exitCode: 2,
        stderr: 'error: --file: must hold a JSON object\n',
      });
    }
  });

  it('an address without a service', async () => {
    const outcome = await cli(['clients', 'list'], { BASE_URL: 'http://localhost:9' });
    expect(outcome).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('no answer from http://localhost:9') });
  });

  it('a limit, with the time to wait', async () => {
    const limited = createServer((_, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '3000' });
      response.end(JSON.stringify({ errorCode: 'rate_limited', defaultTranslation: 'Too many requests.' }));
    }).listen(0);
    const { port } = limited.address() as AddressInfo;
    const outcome = await cli(['clients', 'list'], { BASE_URL: `http://localhost:${port}` });
    limited.close();
    expect(outcome).toMatchObject({ exitCode: 3, stderr: 'error: rate_limited: Too many requests. It is possible again in 3000 seconds.\n' });
  });

  it('another service', async () => {
    const other = createServer((_, response) => response.end('<h1>Hello</h1>')).listen(0);
    const { port } = other.address() as AddressInfo;
    const outcome = await cli(['clients', 'list'], { BASE_URL: `http://localhost:${port}` });
    other.close();
    expect(outcome).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('is it Countersign?') });
  });

  it('a wrong admin token, and none', async () => {
    const wrong = await cli(['clients', 'list'], { ADMIN_TOKEN: 'wrong-token-of-the-operator' });
    expect(wrong).toMatchObject({ exitCode: 4, stderr: 'error: the service does not know this admin token\n' });
    expect(await cli(['clients', 'list'], { DATA_DIR: join(directory, 'nothing') })).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('set ADMIN_TOKEN'),
    });
  });

  it('a setting that is not valid', async () => {
    expect(await cli(['clients', 'list'], { BASE_URL: 'nonsense' })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('BASE_URL must be'),
    });
  });
});

it('prints its usage', async () => {
  const { exitCode, stdout } = await cli(['--help']);
  expect(exitCode).toBe(0);
  for (const word of ['clients', 'identities', 'devices', 'session', 'ADMIN_TOKEN', 'Exit codes']) expect(stdout).toContain(word);
});

it('reads the token from a file that only its owner may read', async () => {
  expect((await stat(join(directory, 'admin-token'))).mode & 0o777).toBe(0o600);
});
