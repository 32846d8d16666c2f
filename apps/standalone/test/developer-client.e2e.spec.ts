import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ClientId } from '#kernel';
import { InvalidArguments, loadPlatformSettings } from '#service/config';
import type { Platform } from '#service/platform';

import { banner } from '../src/banner.js';
import { assertMayHaveClient, developerClient } from '../src/program/developer-client.js';
import { type Standalone, startStandalone } from '../src/start.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

const [CALLBACK, OTHER] = ['http://localhost:5173/callback', 'http://localhost:8080/back'];

let directory: string;
let standalone: Standalone | undefined;

const start = async (): Promise<Standalone> => {
  const settings = { PORT: String(await reservePort()), DATA_DIR: directory, DEMO: 'false', SANDBOX: 'false', LOG_LEVEL: 'silent' };
  return (standalone = await startStandalone(loadPlatformSettings(settings)));
};
const startAgain = async (): Promise<Platform> => {
  await standalone?.close();
  return (await start()).platform;
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'developer-client-'));
});
afterAll(async () => {
  await standalone?.close();
  await rm(directory, { recursive: true });
});

describe('the client that the arguments ask for', () => {
  it('is made once for its redirect URIs, and further ones are added to it', async () => {
    const made = await developerClient((await start()).platform, [CALLBACK]);
    expect(made).toEqual({ clientId: expect.any(String), clientSecret: expect.any(String), redirectUris: [CALLBACK] });

    const platform = await startAgain();
    expect(await developerClient(platform, [CALLBACK])).toEqual(made);
    const more = await developerClient(platform, [OTHER, CALLBACK]);
    expect(more).toEqual({ ...made, redirectUris: [CALLBACK, OTHER] });

    const { findClient } = platform.useCases.relyingParties();
    expect((await findClient.execute(more.clientId as ClientId))?.redirectUris).toEqual([CALLBACK, OTHER]);
  });

  it('is kept for its owner alone', async () => {
    expect((await stat(join(directory, 'client.json'))).mode & 0o777).toBe(0o600);
  });

  it('is printed with its secret', async () => {
    const own = await developerClient(standalone!.platform, [CALLBACK]);
    const text = banner(standalone!, { own });
    for (const value of [own.clientId, own.clientSecret, CALLBACK]) expect(text).toContain(value);
    expect(banner(standalone!)).not.toContain(own.clientSecret);
  });

  it('may have no redirect URI that the registry refuses, and says so in its words', async () => {
    await expect(developerClient(standalone!.platform, ['http://shop.example/callback'])).rejects.toThrow(
      new InvalidArguments('--client: `redirect_uris[2]` must be https, or http on loopback.'),
    );
  });

  it('is refused in a guarded environment', () => {
    expect(() => assertMayHaveClient({ environment: 'production' })).toThrow(
      new InvalidArguments('--client is for ENVIRONMENT development and test, and this one is production. Register the client in the portal.'),
    );
  });
});
