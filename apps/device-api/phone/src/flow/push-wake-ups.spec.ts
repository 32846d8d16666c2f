import type { Prover } from '#clients/device';
import { beforeEach, describe, expect, it } from '@jest/globals';

import { PushWakeUps, type PushWakeUpsParts } from './push-wake-ups.js';

const PROVER = {} as Prover;
const KEYS = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'point', auth: 'secret' } };

let told: unknown[];
let subscribedWith: string[];
let permission: NotificationPermission;
let changes: number;

beforeEach(() => {
  told = [];
  changes = 0;
  subscribedWith = [];
  permission = 'granted';
});

const manager = (earlierKey?: string): PushManager => {
  let bound = earlierKey;
  let addresses = 1;
  const subscription = {
    toJSON: () => ({ ...KEYS, endpoint: `https://push.example.com/${addresses}`, expirationTime: null }),
    unsubscribe: async () => ((bound = undefined), addresses++, true),
  };
  return {
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      subscribedWith.push(applicationServerKey);
      if (bound !== undefined && bound !== applicationServerKey) throw new DOMException('another key', 'InvalidStateError');
      bound = applicationServerKey;
      return subscription;
    },
    getSubscription: async () => (bound === undefined ? null : subscription),
  } as unknown as PushManager;
};

const api = (publicKey = 'key of the service', subscribed = false): PushWakeUpsParts['api'] => ({
  pushes: async () => ({ kind: 'OK', body: { publicKey, subscribed } }),
  takePushes: async (_, keys) => (told.push(keys), { kind: 'OK', body: true }),
});

const wakeUps = (parts: Partial<PushWakeUpsParts> = {}) =>
  new PushWakeUps({
    api: api(),
    onChange: () => changes++,
    manager: async () => manager(),
    permission: () => permission,
    ask: async () => (permission = 'granted'),
    ...parts,
  });

describe('the pushes of a phone', () => {
  it('are told to the service once a visit, with the keys of the browser alone', async () => {
    const pushes = wakeUps();
    await pushes.renew(PROVER);
    await pushes.renew(PROVER);
    expect(told).toEqual([KEYS]);
    expect(subscribedWith).toEqual(['key of the service']);
  });

  it('are bound to the key that the service has now', async () => {
    const kept = manager('a former key');
    await wakeUps({ api: api('key of the service', true), manager: async () => kept }).renew(PROVER);
    expect(told).toEqual([{ ...KEYS, endpoint: 'https://push.example.com/2' }]);
  });

  it('stay those of a subscription that the service has', async () => {
    const kept = manager('key of the service');
    await wakeUps({ api: api('key of the service', true), manager: async () => kept }).renew(PROVER);
    expect(told).toEqual([KEYS]);
  });

  it('go to another address when the service no longer has the earlier one', async () => {
    const kept = manager('key of the service');
    const pushes = wakeUps({ manager: async () => kept });
    await pushes.renew(PROVER);
    expect(told).toEqual([{ ...KEYS, endpoint: 'https://push.example.com/2' }]);
    expect(pushes.areMissing).toBe(false);
  });

  it('begin when the person allows notifications, not before', async () => {
    permission = 'default';
    const pushes = wakeUps();
    await pushes.renew(PROVER);
    expect(told).toEqual([]);
    expect(pushes.mayAsk).toBe(true);
    await pushes.allow(PROVER);
    expect(told).toEqual([KEYS]);
    expect(pushes.mayAsk).toBe(false);
  });

  it('are left alone by a person who refuses', async () => {
    permission = 'default';
    const pushes = wakeUps({ ask: async () => (permission = 'denied') });
    await pushes.allow(PROVER);
    expect([told, pushes.areMissing, changes]).toEqual([[], false, 0]);
  });

  const refused = async () => ({ kind: 'REFUSED', status: 400, errorCode: 'invalid_request' }) as const;

  it.each<[string, Partial<PushWakeUpsParts>]>([
    ['the service sends none', { api: api('') }],
    ['the browser takes none', { manager: async () => undefined }],
    ['the push service of the browser does not answer', { manager: () => Promise.reject(new Error('no push service')) }],
    ['the service refuses the address', { api: { ...api(), takePushes: refused } }],
  ])('are said to be missing when %s', async (_, parts) => {
    const pushes = wakeUps(parts);
    await pushes.renew(PROVER);
    expect([told, pushes.areMissing, changes]).toEqual([[], true, 1]);
  });

  it('are not said to be missing when the service does not answer at present', async () => {
    const unreachable = async () => ({ kind: 'UNREACHABLE' }) as const;
    for (const parts of [{ api: { ...api(), pushes: unreachable } }, { api: { ...api(), takePushes: unreachable } }]) {
      const pushes = wakeUps(parts);
      await pushes.renew(PROVER);
      expect(pushes.areMissing).toBe(false);
    }
    expect(changes).toBe(0);
  });
});
