import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { InvalidSettings, type PlatformSettings } from '#service/config';
import { SystemRandomness } from '#kernel';

import { openVapidKeys } from './open-vapid-keys.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vapid-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'vapid.json');
const open = (environment: string, vapidKeys = path()) =>
  openVapidKeys({ environment, vapidKeys, vapidSubject: 'mailto:operator@example.org' } as PlatformSettings, new SystemRandomness());

describe('the VAPID keys', () => {
  it('are made once in development', async () => {
    const made = await open('development');
    expect(await open('development')).toEqual(made);
    expect(made).toMatchObject({ subject: 'mailto:operator@example.org', publicKey: expect.stringMatching(/^B[\w-]{86}$/) });
  });

  it('are not made in a guarded environment: it runs without pushes when it names none, and not at all when the file is missing', async () => {
    expect(await open('production', '')).toBeUndefined();
    await expect(open('production')).rejects.toThrow(InvalidSettings);
  });

  it('that were made for development are refused in a guarded environment, and its own are taken', async () => {
    const made = await open('development');
    await expect(open('production')).rejects.toThrow(/made for development/);
    const { publicKey, privateKey } = JSON.parse(readFileSync(path(), 'utf8')) as Record<string, string>;
    writeFileSync(path(), JSON.stringify({ publicKey, privateKey }));
    expect(await open('production')).toEqual(made);
  });

  it.each(['', '[]', 'null', '{}', '{"publicKey":"x","privateKey":"y"}'])('that cannot be read are refused: %s', async (content) => {
    writeFileSync(path(), content);
    await expect(open('development')).rejects.toThrow(/VAPID_KEYS/);
  });

  it('that are no pair are refused', async () => {
    await open('development');
    const { publicKey } = JSON.parse(readFileSync(path(), 'utf8')) as Record<string, string>;
    rmSync(path());
    await open('development');
    const { privateKey } = JSON.parse(readFileSync(path(), 'utf8')) as Record<string, string>;
    writeFileSync(path(), JSON.stringify({ publicKey, privateKey }));
    await expect(open('development')).rejects.toThrow(/a pair of P-256/);
  });
});
