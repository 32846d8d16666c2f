import { describe, expect, it } from '@jest/globals';

import { integer } from './formats.js';
import { GUARDED_BOUNDS } from './guarded-bounds.js';
import type { InvalidSettings } from './load-settings.js';
import { loadPlatformSettings } from './load-platform-settings.js';
import { PlatformSettings } from './platform-settings.js';
import { settingsOf } from './setting.decorator.js';
import { settingsTable } from './settings-document.js';

const GUARDED = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example',
  LOGIN_URL: 'https://id.example/login',
  APP_URL: 'https://phone.example/phone',
  PORTAL_URL: 'https://portal.example/portal',
  FOUR_EYES: 'true',
  ANCHOR_DIR: '/mnt/checkpoints',
};

/** The settings that a start refuses: the first word of each problem. */
const refusedIn = (environment: Record<string, string>): readonly string[] => {
  try {
    loadPlatformSettings(environment);
    return [];
  } catch (error) {
    const { problems } = error as InvalidSettings;
    for (const problem of problems) expect(problem).toMatch(/\. (Set|Leave|Make) [^\n]*\.$|must not be greater than \d+\.$/);
    return problems.map((problem) => problem.split(' ', 1)[0]!);
  }
};
const refused = (changes: Record<string, string>): readonly string[] => refusedIn({ ...GUARDED, ...changes });
const relaxed = (changes: Record<string, string>): readonly string[] => refusedIn({ ENVIRONMENT: 'test', ...changes });

describe('a guarded start and origins', () => {
  it('takes one origin for the API and the login page, and one each for the phone and the portal', () => {
    expect(refused({})).toEqual([]);
    expect(refused({ LOGIN_URL: 'https://login.id.example' })).toEqual([]);
    expect(refused({ APP_URL: 'https://id.example:8443/phone' })).toEqual([]);
  });

  it.each([
    ['the phone with the API', { APP_URL: 'https://id.example/phone' }, ['APP_URL']],
    ['the phone with the login page', { LOGIN_URL: 'https://login.id.example', APP_URL: 'https://login.id.example/phone' }, ['APP_URL']],
    ['the portal with the API', { PORTAL_URL: 'https://id.example/portal' }, ['PORTAL_URL']],
    ['the portal with the phone', { PORTAL_URL: 'https://phone.example/portal' }, ['APP_URL', 'PORTAL_URL']],
    ['all pages with each other, as by default', { APP_URL: '', PORTAL_URL: '' }, ['APP_URL', 'PORTAL_URL']],
    ['the portal with the API, in another spelling', { PORTAL_URL: 'HTTPS://ID.example:443/portal' }, ['PORTAL_URL']],
    ['the portal with the API, with a dot at the end', { PORTAL_URL: 'https://id.example./portal' }, ['PORTAL_URL']],
    ['the portal with the API inside', { INTERNAL_URL: 'https://portal.example' }, ['PORTAL_URL']],
  ])('refuses %s', (_, changes, expected) => expect(refused(changes as unknown as Record<string, string>)).toEqual(expected));

  it('takes them together in development and test', () => expect(relaxed({})).toEqual([]));
});

describe('a guarded start and networks', () => {
  const ALL = settingsOf(PlatformSettings)
    .map(({ env }) => env)
    .filter((env) => /(_NETWORKS|_PROXIES)$/.test(env));
  /** Refused whatever it holds: sandbox-callers.spec.ts. */
  const OF_SANDBOX = 'SANDBOX_ALLOWED_NETWORKS';
  const LISTS = ALL.filter((name) => name !== OF_SANDBOX);

  it('knows every list of networks', () => {
    expect(ALL).toEqual([OF_SANDBOX, 'WEBHOOK_ALLOWED_NETWORKS', 'PUSH_ALLOWED_NETWORKS', 'TRUSTED_PROXIES']);
  });

  const HOLDING = [
    ...['0.0.0.0/0', '::/0', '0.0.0.0/1', '128.0.0.0/1', '0.0.0.0/7', '10.0.0.0/7', '2000::/3', 'fc00::/7', '::ffff:0:0/96', '::ffff:0.0.0.0/97'],
    ...['::/64', '::/80', '169.254.169.254', '169.254.0.0/16', '169.254.10.0/24', '169.0.0.0/8', '169.254.255.255/32', '::ffff:169.254.169.254'],
    ...[
      '::ffff:169.254.0.0/112',
      '64:ff9b::/96',
      '64:ff9b::169.254.169.254',
      '2002:a9fe:a9fe::/48',
      'fe80::/10',
      'fe80::1',
      'fe80::1%eth0',
      'FEBF::1',
    ],
    ...[
      'fd00:ec2::254',
      'fd00:ec2::/32',
      'fd00::/8',
      'fd20:ce::254',
      '100.100.100.200',
      '100.64.0.0/10',
      '192.0.0.192',
      '168.63.129.16',
      '168.63.0.0/16',
      '64:ff9b::100.100.100.200',
      '64:ff9b::168.63.129.16/128',
      '64:ff9b:1::/48',
      '64:ff9b:1::192.0.0.192',
      '64:ff9b:1:a9fe:a9:fe00::/72',
      '2002:6464:64c8::/48',
      '2002::/16',
      '2001:0:a83f:8110::/64',
      '2001:0:102:304:0:0:5601:5601',
      '::100.100.100.200',
      '::ffff:0:168.63.129.16',
      'fd12::5efe:169.254.169.254',
      'fd00:c1::a9fe:a9fe',
    ],
  ];

  it.each(HOLDING)('refuses %s in each of them, also among others, and in one line', (network) => {
    for (const name of LISTS) {
      expect(refused({ [name]: network })).toEqual([name]);
      expect(refused({ [name]: `10.0.0.0/8, ${network},192.0.2.1` })).toEqual([name]);
      expect(relaxed({ [name]: network })).toEqual([]);
    }
  });

  it('refuses everything in parts', () => {
    const parts = Array.from({ length: 256 }, (_, first) => `${first}.0.0.0/8`).join(',');
    for (const name of LISTS) expect(refused({ [name]: parts })).toEqual([name, name]);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    'fd12:3456::/32',
    '2001:db8::/32',
    '203.0.113.7',
    '::ffff:10.0.0.0/104',
    '64:ff9b::10.0.0.0/104',
    '2002:a00:1::/48',
    'fd12::5efe:10.0.0.1',
  ])('takes %s', (network) => expect(refused(Object.fromEntries(LISTS.map((name) => [name, network])))).toEqual([]));

  it('says which entry is wrong, and what is wrong with it', () => {
    const environment = { ...GUARDED, TRUSTED_PROXIES: '10.0.0.1,fe80::1,169.254.1.1,100.100.100.200' };
    expect(() => loadPlatformSettings(environment)).toThrow(/TRUSTED_PROXIES must not hold link-local addresses \(entries 2, 3\), since/);
    expect(() => loadPlatformSettings(environment)).toThrow(/TRUSTED_PROXIES must not hold metadata addresses \(entry 4\), since/);
  });
});

describe('the networks that pushes may reach', () => {
  const pushNetworks = (environment: Record<string, string>) => loadPlatformSettings(environment).pushAllowedNetworks;

  it('are never those of webhooks', () => {
    expect(pushNetworks({ ...GUARDED, WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16' })).toEqual([]);
    expect(pushNetworks({ ENVIRONMENT: 'test', WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16' })).toEqual(['127.0.0.0/8', '::1/128']);
  });

  it.each(['development', 'test'])('are loopback in %s', (name) => expect(pushNetworks({ ENVIRONMENT: name })).toEqual(['127.0.0.0/8', '::1/128']));

  it('are those that are named', () => expect(pushNetworks({ ...GUARDED, PUSH_ALLOWED_NETWORKS: '10.2.0.0/16' })).toEqual(['10.2.0.0/16']));
});

describe('a guarded start and FOUR_EYES', () => {
  it.each(['', '  '])('is refused unless it is said: %j', (value) => expect(refused({ FOUR_EYES: value })).toEqual(['FOUR_EYES']));

  it.each([
    ['true', true],
    ['false', false],
  ])('takes %s', (value, fourEyes) => expect(loadPlatformSettings({ ...GUARDED, FOUR_EYES: value })).toMatchObject({ fourEyes }));

  it('names another text once', () => {
    expect(() => loadPlatformSettings({ ...GUARDED, FOUR_EYES: 'yes' })).toThrow('The settings are not valid:\n  - FOUR_EYES must be true or false.');
  });

  it('is false by default in development and test', () => {
    for (const name of ['development', 'test']) expect(loadPlatformSettings({ ENVIRONMENT: name }).fourEyes).toBe(false);
  });
});

describe('a guarded start and a place of checkpoints', () => {
  it.each(['', '  '])('is refused unless one is said: %j', (value) => expect(refused({ ANCHOR_DIR: value })).toEqual(['ANCHOR_DIR']));

  const SERVER = { ANCHOR_DIR: '', ANCHOR_URL: 'https://checkpoints.example/countersign', ANCHOR_TOKEN_FILE: '/run/token' };
  it('takes a server in place of a folder', () => expect(refused(SERVER)).toEqual([]));

  it.each(['https://localhost/a', 'https://127.0.0.1:8443', 'https://[::1]/a'])('is refused with a server on this machine: %s', (ANCHOR_URL) =>
    expect(refused({ ...SERVER, ANCHOR_URL })).toEqual(['ANCHOR_URL']),
  );

  it('is refused with a server without a token', () => expect(refused({ ...SERVER, ANCHOR_TOKEN_FILE: '' })).toEqual(['ANCHOR_URL']));

  it('takes time-stamps from a real authority alone', () => {
    const TRUST = { TSA_URLS: 'https://tsa.example', TRUST_ANCHORS: '/run/roots.pem' };
    expect(refused({ ...TRUST, ANCHOR_TIMESTAMPS: 'true' })).toEqual([]);
    for (const missing of Object.keys(TRUST)) expect(refused({ ...TRUST, [missing]: '', ANCHOR_TIMESTAMPS: 'true' })).toEqual(['ANCHOR_TIMESTAMPS']);
  });

  it('needs none in development and test', () => expect(relaxed({})).toEqual([]));
});

describe('a guarded start and bounds', () => {
  /** Numbers that are neither a lifetime nor a limit nor a retention. All environments bound them. */
  const OTHER_NUMBERS = ['PORT', 'OPS_PORT', 'DEMO_PORT', 'KAFKA_PARTITIONS', 'KAFKA_REPLICATION', 'CONSUMER_CONCURRENCY', 'IDLE_GRACE'];
  const numbers = settingsOf(PlatformSettings).filter(({ as }) => as === integer);

  it('has bounds for every lifetime, limit and retention', () => {
    expect([...Object.keys(GUARDED_BOUNDS), ...OTHER_NUMBERS].sort()).toEqual(numbers.map(({ env }) => env).sort());
  });

  it.each(OTHER_NUMBERS)('and all environments have bounds for %s', (name) => {
    for (const value of ['-1', '1000000000']) expect(() => loadPlatformSettings({ [name]: value })).toThrow(name);
  });

  it.each(Object.entries(GUARDED_BOUNDS))('refuses %s below and above them', (name, [least, most]) => {
    for (const value of [least - 1, most + 1, 31_536_000 * 3, 1_000_000_000].filter((each) => each > 0)) {
      expect([value, refused({ [name]: String(value) })]).toEqual([value, [name]]);
    }
    for (const value of [least - 1, most + 1].filter((each) => each > 0)) {
      expect([value, relaxed({ [name]: String(value) })]).toEqual([value, []]);
    }
    for (const value of [least, most]) expect(refused({ [name]: String(value) })).toEqual([]);
  });

  it('takes every default', () => {
    const settings = loadPlatformSettings(GUARDED);
    for (const { env, property } of numbers) {
      const value = settings[property as keyof PlatformSettings];
      const [least, most] = GUARDED_BOUNDS[env] ?? [];
      if (least === undefined || most === undefined || value === undefined) continue;
      expect([env, value]).toEqual([env, Math.min(Math.max(Number(value), least), most)]);
    }
  });

  it('are those that the documentation states beside each setting', () => {
    const rows = new Map(
      settingsTable(PlatformSettings)
        .split('\n')
        .map((row) => [/`([A-Z0-9_]+)`/.exec(row)?.[1], row]),
    );
    for (const [name, [least, most]] of Object.entries(GUARDED_BOUNDS)) expect(rows.get(name)).toMatch(new RegExp(`\\| ${least} to ${most} \\|$`));
  });
});

describe('a guarded start and listeners', () => {
  const listening = (environment: Record<string, string>): boolean => loadPlatformSettings(environment).webhookListening;

  it('offers them where the setting says so alone, and in development and test unless it says no', () => {
    expect([listening(GUARDED), listening({ ...GUARDED, WEBHOOK_LISTENING: 'true' })]).toEqual([false, true]);
    expect([listening({ ENVIRONMENT: 'test' }), listening({}), listening({ WEBHOOK_LISTENING: 'false' })]).toEqual([true, true, false]);
  });
});
