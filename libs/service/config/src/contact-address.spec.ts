import { describe, expect, it } from '@jest/globals';

import { loadPlatformSettings } from './load-platform-settings.js';

const load = (environment: NodeJS.ProcessEnv) => loadPlatformSettings(environment).vapidSubject;

describe('the address for push services', () => {
  it.each([
    'mailto:ops@bank.ee',
    'mailto:ops+push@push.bank.co.uk',
    'https://bank.ee',
    'https://www.bank.ee/contact?from=push',
    'https://bank.ee:8443/',
  ])('may be %s', (subject) => expect(load({ VAPID_SUBJECT: subject })).toBe(subject));

  it.each([
    'mailto:ops@localhost',
    'mailto:ops@mail',
    'mailto:ops@bank.local',
    'mailto:ops@bank.LOCAL',
    'mailto:ops@bank.local.',
    'mailto:ops@bank.invalid',
    'mailto:ops@bank.test',
    'mailto:ops@bank.internal',
    'mailto:ops@10.0.0.1',
    'mailto:ops@[10.0.0.1]',
    'mailto:ops@',
    'mailto:@bank.ee',
    'mailto:',
    'mailto:ops',
    'mailto:ops@bank.ee,root@localhost',
    'mailto:ops@bank.ee?cc=root@localhost',
    'mailto:ops@bank.ee/x',
    'ops@bank.ee',
    'http://bank.ee',
    'https://localhost:3000/phone',
    'https://phone',
    'https://phone.local/app',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://user:secret@bank.ee/',
    'https://',
    'tel:+3725551234',
    'bank.ee',
  ])('is refused at the start when it is %s', (subject) => {
    expect(() => load({ VAPID_SUBJECT: subject })).toThrow(/VAPID_SUBJECT must be a mailto: or https: address with a public host/);
  });

  it('is that of the web phone where its host is public, else one that suits development', () => {
    expect(load({ BASE_URL: 'https://id.bank.ee' })).toBe('https://id.bank.ee/phone');
    expect(load({})).toBe('mailto:development@example.com');
    expect(load({ BASE_URL: 'https://localhost:3000' })).toBe('mailto:development@example.com');
  });

  const guarded = {
    ENVIRONMENT: 'production',
    BASE_URL: 'https://id.bank.internal',
    APP_URL: 'https://phone.bank.internal',
    PORTAL_URL: 'https://portal.bank.internal',
    FOUR_EYES: 'true',
    ANCHOR_DIR: '/mnt/checkpoints',
  };

  it('is needed in a guarded environment whose web phone has no public host, if it pushes', () => {
    expect(() => load({ ...guarded, VAPID_KEYS: '/run/secrets/vapid.json' })).toThrow('VAPID_SUBJECT must be');
    expect(load({ ...guarded, VAPID_KEYS: '/run/secrets/vapid.json', VAPID_SUBJECT: 'mailto:ops@bank.ee' })).toBe('mailto:ops@bank.ee');
    expect(() => load(guarded)).not.toThrow();
  });
});
