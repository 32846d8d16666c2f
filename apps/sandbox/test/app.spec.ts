import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { openPlatform } from '#service/platform';
import { testPlatform } from '#testkit/platform/test-platform';

import { createSandboxApp } from '../src/app.js';

const GUARDED = {
  ENVIRONMENT: 'staging',
  BASE_URL: 'https://api.example',
  LOGIN_URL: 'https://api.example/login',
  APP_URL: 'https://app.example',
  PORTAL_URL: 'https://portal.example',
  FOUR_EYES: 'true',
  ANCHOR_DIR: '/mnt/checkpoints',
};

describe('the sandbox does not start', () => {
  it('in a guarded environment', async () => {
    await expect(createSandboxApp(await testPlatform(GUARDED))).rejects.toThrow('the sandbox is off');
  });

  it('without SANDBOX', async () => {
    await expect(createSandboxApp(await testPlatform({ SANDBOX: 'false' }))).rejects.toThrow('the sandbox is off');
  });

  it('on a clock that cannot be moved', async () => {
    await expect(createSandboxApp(await testPlatform())).rejects.toThrow('clock that can be moved');
  });
});

describe('the sandbox with listed networks and names', () => {
  it('answers them and refuses all others', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'callers-'));
    const listed = { SANDBOX_ALLOWED_NETWORKS: '172.17.0.0/16', SANDBOX_ALLOWED_HOSTS: 'sandbox' };
    const platform = await openPlatform(loadPlatformSettings({ DATA_DIR: directory, LOG_LEVEL: 'silent', ...listed }));
    const app = await createSandboxApp(platform);
    const asked = async (remoteAddress: string, headers: Record<string, string>): Promise<number> => {
      const request = { method: 'POST', url: '/sandbox/v1/faults', payload: { time_stamp_down: false } } as const;
      return (await app.inject({ ...request, remoteAddress, headers })).statusCode;
    };
    expect([
      await asked('172.17.0.5', { host: 'sandbox:3000' }),
      await asked('::ffff:172.17.0.5', { host: 'sandbox' }),
      await asked('172.18.0.5', { host: 'sandbox' }),
      await asked('172.17.0.5', { host: 'rebound.example' }),
      await asked('172.17.0.5', { host: 'sandbox', 'x-forwarded-for': '127.0.0.1' }),
      await asked('172.17.0.5', { host: 'sandbox', 'content-type': 'text/plain' }),
    ]).toEqual([200, 200, 403, 403, 403, 415]);
    platform.stop();
    await app.close();
    await platform.close();
    await rm(directory, { recursive: true });
  });
});
