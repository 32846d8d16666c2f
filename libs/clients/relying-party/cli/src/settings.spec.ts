import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { readSettings } from './settings.js';

const CLIENT = '00000000-0000-4000-8000-0000000000c1';
const folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
const fileOf = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const LISTEN = ['listen', '--url', 'https://login.example/', '--client-id', CLIENT, '--forward-to', 'http://localhost:4242/webhooks'];
const ENV = { COUNTERSIGN_CLIENT_SECRET: 'whisper' };

describe('the command line', () => {
  it('reads the options, and the secret from the environment', () => {
    expect(readSettings(LISTEN, ENV)).toEqual({
      command: 'listen',
      url: 'https://login.example',
      clientId: CLIENT,
      credentials: { secret: 'whisper' },
      forwardTo: 'http://localhost:4242/webhooks',
      webhookSecret: undefined,
      types: undefined,
    });
  });

  it('reads address and client from the environment too', () => {
    const env = { ...ENV, COUNTERSIGN_URL: 'https://login.example', COUNTERSIGN_CLIENT_ID: CLIENT };
    expect(readSettings(['sessions', 'tail'], env)).toMatchObject({ command: 'sessions tail', url: 'https://login.example', clientId: CLIENT });
  });

  it('reads secret and key from files', () => {
    const secret = readSettings([...LISTEN, '--client-secret-file', fileOf('secret', 'of the file\n')], ENV);
    expect(secret?.credentials).toEqual({ secret: 'of the file' });
    const key = readSettings([...LISTEN, '--key-file', fileOf('key', 'PEM'), '--key-id', 'k1'], {});
    expect(key?.credentials).toEqual({ key: 'PEM', keyId: 'k1' });
  });

  it.each([
    [['--help'], ENV],
    [[], ENV],
    [['listen', '-h'], ENV],
  ])('shows help for %j', (args, env) => expect(readSettings(args, env)).toBeUndefined());

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    ['the secret on the command line', [...LISTEN, '--client-secret', 'hush'], ENV, 'every user of this machine'],
    ['another command', ['tell', ...LISTEN.slice(1)], ENV, 'there is no command "tell"'],
    ['an unknown option', [...LISTEN, '--sign'], ENV, "Unknown option '--sign'"],
    ['no address', LISTEN.filter((_, index) => index !== 1 && index !== 2), ENV, '--url is missing'],
    [
      'http beyond this machine',
      [...LISTEN, '--url', 'http://login.example'],
      ENV,
      '--url: baseUrl must be https beyond loopback; --allow-plain-http',
    ],
    ['a client id that is none', [...LISTEN, '--client-id', 'shop'], ENV, '--client-id is missing or no UUID'],
    ['no place to forward to', LISTEN.slice(0, -2), ENV, '--forward-to is missing'],
    ['a port alone', [...LISTEN, '--forward-to', '4242'], ENV, '--forward-to is missing or no address'],
    ['a file', [...LISTEN, '--forward-to', 'file:///etc/passwd'], ENV, '--forward-to is missing or no address'],
    ['user info', [...LISTEN, '--forward-to', 'http://a:b@localhost/'], ENV, 'no user info'],
    ['another machine', [...LISTEN, '--forward-to', 'http://169.254.169.254/'], ENV, '--forward-to is not on this machine'],
    [
      'a name that begins like this machine',
      [...LISTEN, '--forward-to', 'http://localhost.evil.example/'],
      ENV,
      '--forward-to is not on this machine',
    ],
    ['every address', [...LISTEN, '--forward-to', 'http://0.0.0.0:4242/'], ENV, '--forward-to is not on this machine'],
    ['an empty secret', LISTEN, { COUNTERSIGN_CLIENT_SECRET: '' }, 'COUNTERSIGN_CLIENT_SECRET is empty'],
    ['a file that is not there', [...LISTEN, '--client-secret-file', join(folder, 'none')], ENV, 'the file of --client-secret-file cannot be read'],
    ['a short webhook secret', LISTEN, { ...ENV, COUNTERSIGN_WEBHOOK_SECRET: 'whsec_AAAA' }, 'COUNTERSIGN_WEBHOOK_SECRET must be'],
    ['options of the other command', ['sessions', 'tail', ...LISTEN.slice(1)], ENV, 'sessions tail knows neither'],
  ])('refuses %s, and says what to do', (_, args, env, message) => {
    expect(() => readSettings(args, env)).toThrow(message);
    expect(() => readSettings(args, env)).not.toThrow(/hush|whisper/);
  });

  it('forwards to other machines when told to, and to this one under each of its names', () => {
    expect(readSettings([...LISTEN, '--forward-to', 'https://dev.example/hooks', '--allow-remote'], ENV)?.forwardTo).toBe(
      'https://dev.example/hooks',
    );
    for (const host of ['127.0.0.1', '127.1.2.3', '[::1]', 'localhost']) {
      expect(readSettings([...LISTEN, '--forward-to', `http://${host}:4242/`], ENV)?.forwardTo).toBe(`http://${host}:4242/`);
    }
  });
});
