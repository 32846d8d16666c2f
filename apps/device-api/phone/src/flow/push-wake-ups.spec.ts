import type { Prover } from '#clients/device';
import { beforeEach, describe, expect, it } from '@jest/globals';

import { PushWakeUps, type PushWakeUpsParts } from './push-wake-ups.js';

const PROVER = {} as Prover;
const KEYS = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'point', auth: 'secret' } };

let told: unknown[];
let subscribedWith: string[];
let permission: NotificationPermission;

beforeEach(() => {
  told = [];
  subscribedWith = [];
  permission = 'granted';
});

const manager = (earlierKey?: string): PushManager => {
  let bound = earlierKey;
  const subscription = { toJSON: () => ({ ...KEYS, expirationTime: null }), unsubscribe: async () => ((bound = undefined), true) };
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

const wakeUps = (changes: Partial<PushWakeUpsParts> = {}, key = 'key of the service') =>
  new PushWakeUps({
    api: {
      pushKey: async () => ({ kind: 'OK', body: key }),
      takePushes: async (_, keys) => (told.push(keys), { kind: 'OK', body: true }),
    },
    manager: async () => manager(),
    permission: () => permission,
    ask: async () => (permission = 'granted'),
    ...changes,
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
    await wakeUps({ manager: async () => kept }).renew(PROVER);
    expect(told).toEqual([KEYS]);
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

  it('are left alone by a person who refuses, a service without pushes, and a browser without them', async () => {
    permission = 'default';
    await wakeUps({ ask: async () => (permission = 'denied') }).allow(PROVER);
    permission = 'granted';
    await wakeUps({}, '').renew(PROVER);
    await wakeUps({ manager: async () => undefined }).renew(PROVER);
    await wakeUps({ manager: () => Promise.reject(new Error('no push service')) }).renew(PROVER);
    expect(told).toEqual([]);
  });
});
