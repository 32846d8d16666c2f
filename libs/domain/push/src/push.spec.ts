import type { Device } from '#domain/identity';
import { createECDH } from 'node:crypto';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EgressProxy } from '#engines/egress';
import { type DeviceId, type IdentityId, InvalidRequest } from '#kernel';
import { GuardedPost, type PostOptions, ReachableNetworks } from '#domain/webhook';
import { ConnectProxy } from '#testkit/egress/connect-proxy';
import { testPlatform, type TestPlatform } from '#testkit/platform/test-platform';

import { enrolmentRequest } from '#testkit/identity/identity-fixture';
import type { WakeUpPayload } from './delivery/wake-up-jobs.js';
import { pushDispatch, pushOfPhones } from './push-use-cases.js';
import { PushSubscriptions } from './repositories/push-subscriptions.js';
import { BrowserKeys, PushService, vapidOf } from '#testkit/push/push-service';
import type { VapidKeys } from './vapid-keys.js';

const MINUTE = 60_000;

const newVapid = (): VapidKeys => {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys('base64url');
  const privateKey = Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
  return { publicKey, privateKey, subject: 'mailto:operator@example.org' };
};
const vapid = newVapid();

let platform: TestPlatform;
let service: PushService;
let identityId: IdentityId;
let deviceId: DeviceId;
let outcomes: string[];
let push: ReturnType<typeof pushDispatch>;
let post: GuardedPost;
const keys = new BrowserKeys();

const identity = () => ({ ...platform.useCases.identity(), ...platform.useCases.phones() });
const subscribe = (changes: { endpoint?: string; p256dh?: string; auth?: string } = {}, device = deviceId) =>
  phones().execute(
    { identityId, deviceId: device, status: 'ACTIVE', authenticationKey: {} },
    {
      endpoint: `${service.origin}/send/1`,
      p256dh: keys.p256dh,
      auth: keys.auth,
      ...changes,
    },
  );
const subscriptions = () => new PushSubscriptions(platform.unitOfWork, platform.sealer);
const networks = (allowed = platform.settings.pushAllowedNetworks) => new ReachableNetworks(allowed);
/** The phones are as their requests have found them. */
const enrolmentProof = { present: async (_: unknown, device: Device) => device };
const phones = (allowed?: readonly string[]) =>
  pushOfPhones({ subscriptions: subscriptions(), networks: networks(allowed), enrolmentProof, vapid }).subscribeToPush;
/** The use cases of a process that sends. */
const dispatch = (options: Omit<PostOptions, 'networks'>) => {
  post = new GuardedPost({ networks: networks(), ...options });
  const parts = { ...platform, vapid, post, subscriptions: subscriptions(), findDevice: identity().findDevice };
  return pushDispatch(parts, (outcome) => outcomes.push(outcome));
};
const isSubscribed = (device = deviceId) => phones().has({ identityId, deviceId: device, status: 'ACTIVE', authenticationKey: {} });
const enrol = async (): Promise<DeviceId> => {
  const { activationCode } = await identity().issueActivationCode.execute(identityId);
  return (await identity().enrolDevice.execute({ ...enrolmentRequest(), signingCsr: undefined, activationCode: activationCode.reveal() })).deviceId;
};
const send = (changes: { at?: number; expiresAt?: number } = {}, signal = new AbortController().signal) => {
  const at = changes.at ?? platform.clock.now();
  return push.sendWakeUp.execute({ version: 1, identityId, deviceId, at, expiresAt: changes.expiresAt ?? at + 5 * MINUTE }, signal);
};

beforeAll(async () => {
  platform = await testPlatform({}, { certificateAuthority: undefined });
});

afterAll(async () => {
  platform.stop();
  await platform.close();
});

beforeEach(async () => {
  service = await PushService.start();
  identityId = await identity().registerIdentity.execute({
    givenName: 'Mari',
    familyName: 'Maasikas',
    personalCode: platform.randomness.uuid().slice(0, 30),
    dateOfBirth: '1971-01-01',
    country: 'EE',
  });
  deviceId = await enrol();
  outcomes = [];
  push = dispatch({ timeout: 200 });
});

afterEach(async () => {
  post.close();
  await service.stop();
});

describe('a wake-up', () => {
  it('is encrypted for the browser and signed by the VAPID keys of the service', async () => {
    await subscribe();
    await send();
    const [received] = await service.pushes(1);
    expect(keys.decrypt(received!.body)).toBe('{"type":"wake-up"}');
    const { key, claims } = vapidOf(received!);
    expect(key).toBe(vapid.publicKey);
    expect(claims).toMatchObject({ aud: service.origin, sub: vapid.subject });
    expect(outcomes).toEqual(['SENT']);
  });

  it('tells neither name nor session, and the push service keeps it no longer than the session lasts', async () => {
    await subscribe();
    await send({ expiresAt: platform.clock.now() + 120_000 });
    const { headers } = (await service.pushes(1))[0]!;
    expect(headers).toMatchObject({ ttl: '120', urgency: 'high', topic: 'wake-up', 'content-encoding': 'aes128gcm' });
    expect(JSON.stringify(headers)).not.toMatch(/Mari|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it('is not sent to a device without a subscription, nor after the session has ended', async () => {
    await send();
    await subscribe();
    await send({ expiresAt: platform.clock.now() });
    expect(outcomes).toEqual(['NO_SUBSCRIPTION', 'LATE']);
    expect(service.received).toEqual([]);
  });

  it.each([404, 410])('ends the subscription when the push service answers %s', async (status) => {
    await subscribe();
    service.willAnswer(status);
    expect(await send()).toBeUndefined();
    expect(await isSubscribed()).toBe(false);
    expect(outcomes).toEqual(['GONE']);
  });

  it('keeps a subscription that replaced the ended one meanwhile', async () => {
    await subscribe();
    service.willAnswer('HANGS');
    const sending = send();
    await service.pushes(1);
    await subscribe({ endpoint: `${service.origin}/send/2` });
    await sending;
    expect(await isSubscribed()).toBe(true);
  });

  it.each([500, 503, 408, 'HANGS'] as const)('is tried again after %s, with longer waits, until the session ends', async (answer) => {
    await subscribe();
    const at = platform.clock.now();
    service.willAnswer(answer, answer);
    expect(await send({ at, expiresAt: at + 25_000 })).toBe(at + 2_000);
    platform.clock.advance(12_000);
    expect(await send({ at, expiresAt: at + 25_000 })).toBe(at + 24_000);
    platform.clock.advance(12_500);
    service.willAnswer(answer);
    expect(await send({ at, expiresAt: at + 26_000 })).toBeUndefined();
    expect(outcomes).toEqual(['AGAIN', 'AGAIN', 'LATE']);
    expect(await isSubscribed()).toBe(true);
  });

  it('waits as long as the push service asks for', async () => {
    await subscribe();
    service.willAnswer(429);
    expect(await send()).toBe(platform.clock.now() + 7_000);
  });

  it.each([400, 401, 403, 405, 413, 301, 308])('ends the subscription after %s: each further push would be refused', async (status) => {
    await subscribe();
    service.willAnswer(status);
    expect(await send()).toBeUndefined();
    expect(outcomes).toEqual(['REFUSED']);
    expect(await isSubscribed()).toBe(false);
  });

  /** The push services resolve to this, or to no address. */
  const resolving = (options: Omit<PostOptions, 'networks'>) => {
    post.close();
    push = dispatch(options);
  };
  const failing = (code: string) => ({ resolve: () => Promise.reject(Object.assign(new Error(code), { code })) });

  it('ends the subscription when the host of the push service does not exist', async () => {
    await subscribe({ endpoint: 'https://push.example.com/send/1' });
    resolving(failing('ENOTFOUND'));
    expect(await send()).toBeUndefined();
    expect(outcomes).toEqual(['GONE']);
    expect(await isSubscribed()).toBe(false);
  });

  it('is tried again when the name server does not answer', async () => {
    await subscribe({ endpoint: 'https://push.example.com/send/1' });
    resolving(failing('EAI_AGAIN'));
    expect(await send()).toBeDefined();
    expect(outcomes).toEqual(['AGAIN']);
    expect(await isSubscribed()).toBe(true);
  });

  const missedOnce = () => send({ expiresAt: platform.clock.now() + 1_500 });

  it('ends the subscription when three in a row were not taken to their end', async () => {
    await subscribe();
    service.willAnswer(500, 429, 'HANGS');
    for (let time = 1; time <= 3; time++) await missedOnce();
    expect(outcomes).toEqual(['LATE', 'LATE', 'GONE']);
    expect(await isSubscribed()).toBe(false);
  });

  it('counts from the beginning after one that was taken', async () => {
    await subscribe();
    service.willAnswer(500, 500, 201, 500, 500);
    for (let time = 1; time <= 5; time++) await missedOnce();
    expect(outcomes).toEqual(['LATE', 'LATE', 'SENT', 'LATE', 'LATE']);
    expect(await isSubscribed()).toBe(true);
  });

  it('counts also when the browser gives the same subscription in between', async () => {
    await subscribe();
    service.willAnswer(500, 500, 500);
    for (let time = 1; time <= 3; time++) {
      await subscribe();
      await missedOnce();
    }
    expect(await isSubscribed()).toBe(false);
  });

  it('counts no attempt that the end of the process broke off', async () => {
    await subscribe();
    service.willAnswer('HANGS', 'HANGS', 'HANGS');
    for (let time = 1; time <= 3; time++) await send({ expiresAt: platform.clock.now() + 1_500 }, AbortSignal.abort());
    expect(await isSubscribed()).toBe(true);
  });

  it('goes by the egress proxy, whose failure says nothing about the push service', async () => {
    await using proxy = await ConnectProxy.start();
    await subscribe();
    resolving({ egress: new EgressProxy({ proxy: proxy.url, resolves: false, direct: [] }) });
    proxy.answer = 407;
    for (let time = 1; time <= 4; time++) await missedOnce();
    proxy.answer = undefined;
    await send();
    expect(outcomes).toEqual(['LATE', 'LATE', 'LATE', 'LATE', 'SENT']);
    expect(new Set(proxy.asked)).toEqual(new Set([service.origin.slice('http://'.length)]));
  });

  it('is not scheduled for a device whose subscription has ended', async () => {
    await subscribe();
    service.willAnswer(410);
    await send();
    const event = { eventId: 'event-3', identityId, at: platform.clock.now(), expiresAt: platform.clock.now() + MINUTE };
    const schedule = jest.spyOn(platform.jobQueue, 'schedule');
    await push.wakeDevices.execute(event);
    expect(schedule).not.toHaveBeenCalled();
    schedule.mockRestore();
  });

  it('is not sent when the name resolves to an address that is not public', async () => {
    await subscribe({ endpoint: 'https://push.example.com/send/1' });
    resolving({ resolve: async () => [{ address: '169.254.169.254', family: 4 }] });
    expect(await send()).toBeUndefined();
    expect(outcomes).toEqual(['REFUSED']);
    expect(await isSubscribed()).toBe(false);
  });

  it('is not sent to a revoked device, whose subscription is forgotten', async () => {
    await subscribe();
    await identity().revokeDevice.execute(identityId, deviceId);
    await send();
    expect(service.received).toEqual([]);
    expect(await isSubscribed()).toBe(false);
  });

  it('is scheduled once for each device, however many replicas see the event', async () => {
    const other = await enrol();
    await subscribe();
    await subscribe({}, other);
    const event = { eventId: 'event-1', identityId, at: platform.clock.now(), expiresAt: platform.clock.now() + MINUTE };
    await push.wakeDevices.execute(event);
    await push.wakeDevices.execute(event);
    const { due, scheduled } = await platform.jobQueue.counts('push-wake-ups');
    expect(due + scheduled).toBe(2);
  });

  it('for a new device goes to the others, and tells that it is about a device', async () => {
    const other = await enrol();
    await subscribe();
    await subscribe({}, other);
    const schedule = jest.spyOn(platform.jobQueue, 'schedule');
    await push.wakeDevices.execute({
      eventId: 'event-2',
      identityId,
      at: platform.clock.now(),
      expiresAt: platform.clock.now() + MINUTE,
      reason: 'NEW_DEVICE',
      newDevice: other,
    });
    const payloads = schedule.mock.calls.map(([, { payload }]) => payload as WakeUpPayload);
    schedule.mockRestore();
    expect(payloads).toMatchObject([{ deviceId, reason: 'NEW_DEVICE' }]);
    await push.sendWakeUp.execute(payloads[0]!, new AbortController().signal);
    const [received] = await service.pushes(1);
    expect(keys.decrypt(received!.body)).toBe('{"type":"new-device"}');
    expect(received!.headers).toMatchObject({ ttl: '86400', topic: 'new-device' });
    expect(JSON.stringify(received!.headers)).not.toMatch(/Mari|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it('for a code of a person with power goes to all, and may be kept for a day', async () => {
    await subscribe();
    const at = platform.clock.now();
    const schedule = jest.spyOn(platform.jobQueue, 'schedule');
    await push.wakeDevices.execute({ eventId: 'event-3', identityId, at, expiresAt: at + MINUTE, reason: 'NEW_CODE' });
    const payloads = schedule.mock.calls.map(([, { payload }]) => payload as WakeUpPayload);
    schedule.mockRestore();
    expect(payloads).toMatchObject([{ deviceId, reason: 'NEW_CODE' }]);
    await push.sendWakeUp.execute(payloads[0]!, new AbortController().signal);
    const [received] = await service.pushes(1);
    expect(keys.decrypt(received!.body)).toBe('{"type":"new-code"}');
    expect(received!.headers).toMatchObject({ ttl: '86400', topic: 'new-code' });
  });
});

describe('a subscription', () => {
  it.each([
    'http://push.example.com/1',
    'https://127.0.0.2.nip.example/1#x',
    'https://user:secret@push.example.com/1',
    'https://10.0.0.1/1',
    'https://[::1]/1',
    'https://2130706433/1',
    'https://localhost/1',
    'https://kubernetes.default.svc.internal/1',
    'https://push.example.com:22/1',
    'https://permanently-removed.invalid/fcm/send/x',
    'https://PERMANENTLY-REMOVED.INVALID./fcm/send/x',
    'https://push.test/1',
    'https://push.onion/1',
    'file:///etc/passwd',
    'no url',
  ])('is refused for the address %s', async (endpoint) => {
    const strict = phones([]);
    const device = { identityId, deviceId, status: 'ACTIVE' as const, authenticationKey: {} };
    await expect(strict.execute(device, { endpoint, p256dh: keys.p256dh, auth: keys.auth })).rejects.toThrow(InvalidRequest);
    expect(await isSubscribed()).toBe(false);
  });

  it.each([
    ['a point that is not on the curve', { p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url') }],
    ['a compressed point', { p256dh: createECDH('prime256v1').generateKeys('base64url', 'compressed') }],
    ['a private key', { p256dh: Buffer.alloc(32, 1).toString('base64url') }],
    ['standard base64', { p256dh: Buffer.alloc(65, 0xff).toString('base64') }],
    ['a short secret', { auth: Buffer.alloc(15).toString('base64url') }],
    ['a long secret', { auth: Buffer.alloc(1000).toString('base64url') }],
  ])('is refused with %s', async (_, wrong) => {
    await expect(subscribe(wrong)).rejects.toThrow(InvalidRequest);
  });

  it('is sealed in the store, and a repetition stores nothing', async () => {
    await subscribe();
    await subscribe();
    const events = await platform.eventStore.read(`pushsubscriptions-${identityId}` as never);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events[0]!.data)).not.toContain('127.0.0.1');
  });

  it.each([404, 403])('that ended by %s is refused when the browser gives it again; another one is kept', async (status) => {
    await subscribe();
    service.willAnswer(status);
    await send();
    await expect(subscribe()).rejects.toThrow('`endpoint` no longer takes pushes');
    expect(await isSubscribed()).toBe(false);
    await subscribe({ endpoint: `${service.origin}/send/2` });
    expect(await isSubscribed()).toBe(true);
    await send();
    expect(outcomes.at(-1)).toBe('SENT');
  });

  it("belongs to its device: another device's end leaves it alone", async () => {
    const other = await enrol();
    await subscribe();
    await phones().end({ identityId, deviceId: other, status: 'ACTIVE', authenticationKey: {} });
    expect(await isSubscribed()).toBe(true);
    await phones().end({ identityId, deviceId, status: 'ACTIVE', authenticationKey: {} });
    expect(await isSubscribed()).toBe(false);
  });

  it('is erased with the person, for good', async () => {
    await subscribe();
    await platform.useCases.erasures().eraseIdentity.execute(identityId);
    await subscribe({ endpoint: `${service.origin}/send/2` });
    expect(await isSubscribed()).toBe(false);
    await send();
    expect(service.received).toEqual([]);
  });
});
