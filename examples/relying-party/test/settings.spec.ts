import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { InvalidSettings, readSettings } from '../src/settings.js';

const GIVEN = { CLIENT_ID: '7f3c9a52-1f0e-4f57-9a44-2b8f3f0b6c11', CLIENT_SECRET: 'secret-of-the-client' };

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-settings-'));
});

afterAll(() => rm(directory, { recursive: true }));

describe("the demo's settings", () => {
  it('default to a service on this machine', () => {
    expect(readSettings(GIVEN)).toMatchObject({
      host: '127.0.0.1',
      port: 3001,
      origin: 'http://localhost:3001',
      service: {
        baseUrl: 'http://localhost:3000',
        loginUrl: 'http://localhost:3000/login',
        appUrl: 'http://localhost:3000/phone',
        appScheme: 'countersign',
      },
    });
  });

  it('take the credentials from the file of that service', async () => {
    await writeFile(join(directory, 'demo.json'), JSON.stringify({ clientId: 'id', clientSecret: 'secret', redirectUri: 'x' }));
    expect(readSettings({ DATA_DIR: directory })).toMatchObject({ clientId: 'id', clientSecret: 'secret' });
  });

  it('take the webhook secrets from the environment, two during a rotation, else from the file of that service', async () => {
    expect(readSettings({ ...GIVEN, DATA_DIR: directory }).webhookSecrets).toEqual([]);
    await writeFile(join(directory, 'demo-webhook.json'), JSON.stringify({ endpointId: 'id', secret: 'whsec_kept' }));
    expect(readSettings({ ...GIVEN, DATA_DIR: directory }).webhookSecrets).toEqual(['whsec_kept']);
    expect(readSettings({ ...GIVEN, DATA_DIR: directory, WEBHOOK_SECRET: 'whsec_new whsec_old ' }).webhookSecrets).toEqual([
      'whsec_new',
      'whsec_old',
    ]);
  });

  it.each([
    ['no credentials', { DATA_DIR: '/nowhere' }, 'CLIENT_ID'],
    ['a port that is none', { ...GIVEN, DEMO_PORT: '99999' }, 'DEMO_PORT'],
    ['production without https', { ...GIVEN, ENVIRONMENT: 'production' }, 'DEMO_ORIGIN'],
    ['production without a secret for the cookie', { ...GIVEN, ENVIRONMENT: 'production', DEMO_ORIGIN: 'https://library.example' }, 'COOKIE_SECRET'],
  ])('say what to do about %s, and show no secret', (_, environment, name) => {
    expect(() => readSettings(environment)).toThrow(InvalidSettings);
    expect(() => readSettings(environment)).toThrow(name);
    expect(() => readSettings(environment)).not.toThrow('secret-of-the-client');
  });
});
