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
