import { testPlatform } from '#platform/testing';

import { createSandboxApp } from '../src/app.js';

const PRODUCTION = { ENVIRONMENT: 'production', BASE_URL: 'https://api.example', LOGIN_URL: 'https://api.example/login', APP_URL: 'https://app.example', SANDBOX: 'false', DEMO: 'false' };

describe('the sandbox does not start', () => {
  it('in production', async () => {
    await expect(createSandboxApp(await testPlatform(PRODUCTION))).rejects.toThrow('not for production');
  });

  it('without SANDBOX', async () => {
    await expect(createSandboxApp(await testPlatform({ SANDBOX: 'false' }))).rejects.toThrow('not for production');
  });

  it('on a clock that cannot be moved', async () => {
    await expect(createSandboxApp(await testPlatform())).rejects.toThrow('clock that can be moved');
  });
});
