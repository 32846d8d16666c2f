import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ServiceUnavailable } from '#kernel';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';

import { PortalLogin } from '../src/portal-login.js';

let server: Server;
let internalUrl: string;
let platform: TestPlatform;
const arrived: string[] = [];

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    arrived.push(url);
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It reaches this machine, but is not a loopback address, so it counts as another machine.
  internalUrl = `http://0.0.0.0:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

beforeEach(async () => {
  arrived.splice(0);
  // Guarded: it makes no trust service, which takes seconds.
  platform = await testPlatform({
    ENVIRONMENT: 'staging',
    BASE_URL: 'https://id.example',
    APP_URL: 'https://phone.example',
    PORTAL_URL: 'https://portal.example',
    FOUR_EYES: 'true',
    ANCHOR_DIR: '/mnt/checkpoints',
  });
});
afterEach(() => platform.close());

const begin = (environment: string) => {
  const { settings, keys } = platform;
  const { keepOwnClient } = platform.useCases.relyingParties();
  return new PortalLogin(
    { settings: { ...settings, environment, internalUrl }, keys },
    {
      keepOwnClient,
      ...platform.useCases.administration(),
      ...platform.useCases.portalSessions(),
      ...platform.useCases.identity(),
    },
  ).begin(undefined);
};

describe('INTERNAL_URL on another machine without TLS', () => {
  it('is where the portal begins its logins in development', async () => {
    await expect(begin('development')).rejects.toThrow(ServiceUnavailable);
    expect(arrived).toEqual(['/relying-party/v1/session']);
  });

  it('gets no secret in a guarded environment, even past the check of the settings', async () => {
    await expect(begin('production')).rejects.toThrow('baseUrl must be https beyond loopback');
    expect(arrived).toEqual([]);
  });
});
