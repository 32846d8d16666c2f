import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';
import { BrowserKeys, PushService, vapidOf } from '#testkit/push/push-service';
import { expectError, expectOk, newCast, type Phone } from '../support/index.js';

const PATH = '/app/v1/push-subscription';

const { shop, phone, staff } = await newCast();
const keys = new BrowserKeys();
let pushes: PushService;

const subscription = (changes: Record<string, unknown> = {}) => ({
  endpoint: `${pushes.origin}/send/${phone.deviceId}`,
  expirationTime: null,
  keys: { p256dh: keys.p256dh, auth: keys.auth },
  ...changes,
});
const put = (body: unknown, by: Phone = phone) => by.call('PUT', PATH, body);
const shown = async (by: Phone = phone) => expectOk(await by.call('GET', PATH));

beforeAll(async () => {
  pushes = await PushService.start();
});

afterAll(() => pushes.stop());

describe('PUT push-subscription', () => {
  it('keeps what the browser gave to the page', async () => {
    expect((await put(subscription())).status).toBe(204);
    expect(await shown()).toMatchObject({ subscribed: true });
  });

  it('wakes the phone when a session is pushed: encrypted, signed by the key that GET shows, without a name', async () => {
    const { publicKey } = await shown();
    await put(subscription());
    const login = await shop.login({ subject_id: await shop.subjectOf(phone), push: true, title: 'A title that stays inside' });
    expect(login.pushStatus).toBe('DISPATCHED');
    const [received] = await pushes.pushes(1);
    expect(keys.decrypt(received!.body)).toBe('{"type":"wake-up"}');
    expect(vapidOf(received!)).toMatchObject({ key: publicKey, claims: { aud: pushes.origin } });
    expect(await phone.pendingIds()).toContain(login.sessionId);
  });

  it("wakes the person's other phones when a new one is enrolled, by a push of its own kind", async () => {
    const person = await staff.registerPerson();
    const [first, own] = [await staff.phoneOf(person), await PushService.start()];
    try {
      await put(subscription({ endpoint: `${own.origin}/send/${first.deviceId}` }), first);
      await staff.phoneOf(person);
      const [received] = await own.pushes(1);
      expect(keys.decrypt(received!.body)).toBe('{"type":"new-device"}');
    } finally {
      await own.stop();
    }
  });

  it.each([
    ['a private address', 'endpoint', { endpoint: 'https://10.1.2.3/x' }],
    ['a host that cannot exist', 'endpoint', { endpoint: 'https://permanently-removed.invalid/fcm/send/x' }],
    ['another scheme', 'endpoint', { endpoint: 'ftp://push.example.com/x' }],
    ['a huge address', 'endpoint', { endpoint: `https://push.example.com/${'x'.repeat(2000)}` }],
    ['no address', 'endpoint', { endpoint: undefined }],
    ['no keys', 'keys', { keys: undefined }],
    ['a list of keys', 'keys', { keys: [] }],
    ['a text for keys', 'keys', { keys: 'x' }],
    ['a key that is no point', 'p256dh', { keys: { p256dh: 'A'.repeat(87), auth: keys.auth } }],
    ['a huge key', 'keys', { keys: { p256dh: 'A'.repeat(60_000), auth: keys.auth } }],
    ['a number for a secret', 'keys', { keys: { p256dh: keys.p256dh, auth: 7 } }],
    ['an unknown field', 'applicationServerKey', { applicationServerKey: 'x' }],
  ])('refuses %s: invalid_request names `%s`', async (_, field, changes) => {
    expectError(await put(subscription(changes)), 400, 'invalid_request', field);
  });
});

describe('a push service that ends a subscription', () => {
  it('leaves the phone without one, until the browser gives another', async () => {
    const [person, gone] = [await staff.newPhone(), await PushService.start()];
    try {
      const at = (path: string) => subscription({ endpoint: `${gone.origin}/${path}` });
      gone.willAnswer(410);
      expect((await put(at('first'), person)).status).toBe(204);
      await shop.login({ subject_id: await shop.subjectOf(person), push: true });
      await gone.pushes(1);
      await eventually(async () => (await shown(person)).subscribed === false);
      expectError(await put(at('first'), person), 400, 'invalid_request', 'endpoint');
      expect((await put(at('second'), person)).status).toBe(204);
      expect(await shown(person)).toMatchObject({ subscribed: true });
    } finally {
      await gone.stop();
    }
  });
});

describe('DELETE push-subscription', () => {
  it("ends this device's subscription, and may be repeated", async () => {
    await put(subscription());
    expect((await phone.call('DELETE', PATH)).status).toBe(204);
    expect((await phone.call('DELETE', PATH)).status).toBe(204);
    expect(await shown()).toMatchObject({ subscribed: false });
  });

  it("leaves another device's alone", async () => {
    await put(subscription());
    const stranger = await staff.newPhone();
    expect((await stranger.call('DELETE', PATH)).status).toBe(204);
    expect(await shown(stranger)).toMatchObject({ subscribed: false });
    expect(await shown()).toMatchObject({ subscribed: true });
  });
});

it('needs a device proof', async () => {
  for (const method of ['GET', 'PUT', 'DELETE'])
    expectError(await phone.callWith('forged', method, PATH, method === 'PUT' ? JSON.stringify(subscription()) : ''), 401, 'invalid_device_proof');
});
