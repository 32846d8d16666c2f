import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { openPlatform } from '#service/platform';

import { migrate } from '../src/store/migrate.js';

const PERSON = { givenName: 'Mari', familyName: 'Maasikas', dateOfBirth: '1971-01-01', country: 'EE', personalCode: '47101010033' };

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'cli-migrate-'));
});
afterEach(() => rm(dataDirectory, { recursive: true }));

const register = async (environment: Record<string, string> = {}, meanwhile?: () => Promise<void>) => {
  const platform = await openPlatform(loadPlatformSettings({ DATA_DIR: dataDirectory, LOG_LEVEL: 'silent', ...environment }));
  try {
    await platform.useCases.identity().registerIdentity.execute(PERSON);
    await meanwhile?.();
  } finally {
    platform.stop();
    await platform.close();
  }
};

describe('migrate', () => {
  it('moves a stopped installation: the service over EventStoreDB takes its keys and knows its persons', async () => {
    await using server = await SpawnedTestServer.start();
    const options = { dataDirectory, esdbUrl: server.connectionString };
    await register({}, () =>
      expect(migrate(options)).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('held by another process') }),
    );
    expect((await migrate(options)).events).toBeGreaterThan(3);
    await expect(register({ ESDB_URL: server.connectionString })).rejects.toMatchObject({ code: 'identity_exists' });
  }, 180_000);

  it('names what is missing', async () => {
    await expect(migrate({ dataDirectory, esdbUrl: 'esdb://127.0.0.1:1?tls=false' })).rejects.toMatchObject({ exitCode: 2 });
    await register();
    const failed = migrate({ dataDirectory, esdbUrl: 'no address of secret' });
    await expect(failed).rejects.toMatchObject({ exitCode: 2, message: expect.not.stringContaining('secret') });
  });
});
