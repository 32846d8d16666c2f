import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';
import { HttpRevocationSource, HttpTimestampAuthority, TrustStore } from '#signatures/pki';
import { SilentLog } from '#telemetry';
import { ConnectProxy } from '#testkit/egress/connect-proxy';
import { type DevelopmentKit, developmentKit } from '#testkit/pki/development-kit';

import { openEgress, trustServiceAgents } from './open-egress.js';

let folder: string;
let proxy: ConnectProxy;
let kit: DevelopmentKit;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'egress-'));
  proxy = await ConnectProxy.start();
  kit = await developmentKit();
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await proxy[Symbol.asyncDispose]();
});

const settingsOf = (environment: NodeJS.ProcessEnv) =>
  loadPlatformSettings({ EGRESS_PROXY: proxy.url, EGRESS_DIRECT: 'nothing.example', ...environment });
const file = (content: string): string => {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
};

describe('the settings of the egress proxy', () => {
  it.each([
    [{ EGRESS_PROXY: 'proxy.example:3128' }, 'EGRESS_PROXY must be an http or https address'],
    [{ EGRESS_PROXY: 'http://user:secret@proxy.example' }, 'EGRESS_PROXY must be an http or https address without user'],
    [{ EGRESS_PROXY: 'socks5://proxy.example' }, 'EGRESS_PROXY must be an http or https address'],
    [{ EGRESS_PROXY: 'http://proxy.example/path' }, 'EGRESS_PROXY must be an http or https address without a path'],
    [{ EGRESS_PROXY: '', EGRESS_PROXY_LOGIN_FILE: '/login' }, 'EGRESS_PROXY_LOGIN_FILE needs EGRESS_PROXY.'],
    [{ EGRESS_PROXY: '', EGRESS_PROXY_RESOLVES: 'true' }, 'EGRESS_PROXY_RESOLVES needs EGRESS_PROXY.'],
    [{ EGRESS_PROXY: 'http://proxy.example', EGRESS_PROXY_CA_FILE: '/ca' }, 'EGRESS_PROXY_CA_FILE needs an EGRESS_PROXY that begins with https://.'],
    [{ EGRESS_DIRECT: 'https://tsa.example' }, 'EGRESS_DIRECT must list addresses, networks and names of hosts'],
    [{ EGRESS_DIRECT: '10.0.0.0/33' }, 'EGRESS_DIRECT must list'],
  ])('%j are refused at the start', (environment, problem) => {
    expect(() => settingsOf(environment)).toThrow(problem);
  });

  it.each([
    ['a file that is missing', () => join(folder, 'none'), 'EGRESS_PROXY_LOGIN_FILE names a file that this user cannot read (ENOENT).'],
    ['an empty file', () => file(''), 'EGRESS_PROXY_LOGIN_FILE names a file that this user cannot read (it is empty).'],
    ['a file without a password', () => file('service'), 'EGRESS_PROXY_LOGIN_FILE must hold user:password.'],
  ])('with %s are refused at the start', (_, path, problem) => {
    expect(() => openEgress(settingsOf({ EGRESS_PROXY_LOGIN_FILE: path() }), new SilentLog())).toThrow(problem);
  });

  it('do not read HTTPS_PROXY and its kind', () => {
    const environment = { EGRESS_PROXY: '', HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' };
    expect(openEgress(settingsOf(environment), new SilentLog())).toBeUndefined();
  });
});

describe('trust services by the egress proxy', () => {
  const parts = (environment: NodeJS.ProcessEnv = {}, log = new SilentLog()) => ({
    clock: kit.clock,
    randomness: kit.randomness,
    pause: () => Promise.resolve(),
    egress: trustServiceAgents(openEgress(settingsOf(environment), log)),
  });
  const stamp = (environment: NodeJS.ProcessEnv, log?: SilentLog) =>
    new HttpTimestampAuthority({
      servers: [{ url: 'http://127.0.0.1:1/tsa' }],
      trust: new TrustStore([]),
      issuers: [],
      ...parts(environment, log),
    }).stamp(Buffer.from('x'));

  it('are asked by CONNECT: time-stamps and revocations', async () => {
    await expect(stamp({})).rejects.toMatchObject({ reason: expect.stringContaining('ERR_TARGET_UNREACHED') });
    const source = new HttpRevocationSource({ ocspUrl: 'http://127.0.0.1:2/ocsp', ...parts() });
    await expect(source.ask(kit.root, kit.root)).rejects.toMatchObject({ reason: expect.stringContaining('ERR_TARGET_UNREACHED') });
    expect(new Set(proxy.asked)).toEqual(new Set(['127.0.0.1:1', '127.0.0.1:2']));
  });

  it('say in words what the proxy refuses, in the log too, and never the login', async () => {
    const log = new SilentLog();
    const error = jest.spyOn(log, 'error');
    proxy.answer = 407;
    const login = file('service:top-secret');
    const refusal = await stamp({ EGRESS_PROXY_LOGIN_FILE: login }, log).catch((thrown: unknown) => thrown);
    expect(refusal).toMatchObject({ reason: expect.stringContaining('the egress proxy refuses the connection with 407: it wants a login') });
    expect(error).toHaveBeenCalledTimes(1);
    expect(JSON.stringify([refusal, error.mock.calls])).not.toContain('top-secret');
  });

  it('use a login that was replaced while the service runs', async () => {
    const login = file('service:old');
    await using wanting = await ConnectProxy.start({ login: 'service:new' });
    const agents = trustServiceAgents(openEgress(settingsOf({ EGRESS_PROXY: wanting.url, EGRESS_PROXY_LOGIN_FILE: login }), new SilentLog()));
    const authority = new HttpTimestampAuthority({
      ...{ servers: [{ url: 'http://127.0.0.1:1/' }], trust: new TrustStore([]), issuers: [] },
      ...{ clock: kit.clock, randomness: kit.randomness, pause: () => Promise.resolve(), egress: agents },
    });
    await expect(authority.stamp(Buffer.from('x'))).rejects.toMatchObject({ reason: expect.stringContaining('407') });
    writeFileSync(login, 'service:new\n');
    await expect(authority.stamp(Buffer.from('x'))).rejects.toMatchObject({ reason: expect.stringContaining('ERR_TARGET_UNREACHED') });
  });
});
