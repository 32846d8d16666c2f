import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DeviceId } from '#kernel';
import { loadPlatformSettings } from '#service/config';
import { ConnectProxy } from '#testkit/egress/connect-proxy';
import { enrolmentRequest, MARI } from '#testkit/identity/identity-fixture';
import { newKey, signingRequest } from '#testkit/pki/signing-requests';
import { BrowserKeys, PushService } from '#testkit/push/push-service';

import { MovableClock } from './movable-clock.js';
import { openPlatform } from './open-platform.js';
import type { Platform } from './platform.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'platform-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('a movable clock', () => {
  it('follows the system until it is moved, and stays moved over restarts', async () => {
    const path = join(directory, 'clock.json');
    const clock = await MovableClock.open(path);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
    await clock.advance(3_600_000);
    await clock.advance(1000);
    expect((await MovableClock.open(path)).now() - Date.now()).toBeGreaterThan(3_600_000);
  });

  it("goes back to the system's time, but not before the keys, and still shows it after a restart", async () => {
    const path = join(directory, 'clock.json');
    const clock = await MovableClock.open(path);
    await clock.advance(7_200_000);
    const keysBegin = Date.now() + 3_600_000;
    await clock.reset(keysBegin);
    for (const each of [clock, await MovableClock.open(path)]) {
      expect(each.now()).toBeGreaterThanOrEqual(keysBegin);
      expect(each.now() - Date.now()).toBeLessThanOrEqual(3_600_000);
    }
    await clock.reset(0);
    for (const each of [clock, await MovableClock.open(path)]) expect(each.now() - Date.now()).toBeLessThanOrEqual(0);
  });

  it('never goes back', async () => {
    const clock = await MovableClock.open(join(directory, 'clock.json'));
    await expect(clock.advance(-1)).rejects.toThrow(RangeError);
    await expect(clock.advance(0.5)).rejects.toThrow(RangeError);
    await expect(clock.advance(Number.MAX_SAFE_INTEGER + 1)).rejects.toThrow(RangeError);
  });

  it.each(['{}', '{"ahead":-1}', '{"ahead":"1"}', 'x'])('refuses a file with %s', async (content) => {
    await writeFile(join(directory, 'clock.json'), content);
    await expect(MovableClock.open(join(directory, 'clock.json'))).rejects.toThrow(/DATA_DIR holds .*clock\.json, which is not the file of a clock/);
  });
});

describe('the embedded platform', () => {
  const open = (environment: Readonly<Record<string, string>> = {}) =>
    openPlatform(loadPlatformSettings({ DATA_DIR: join(directory, 'data'), LOG_LEVEL: 'silent', ...environment }));

  it('creates missing files on the first start and keeps them', async () => {
    const first = await open();
    await first.close();
    const second = await open();
    await second.eventStore.check();
    await second.close();
    expect(second.adminToken.reveal()).toBe(first.adminToken.reveal());
    expect(second.keys.subject.current().id).toBe(first.keys.subject.current().id);
    expect((await readFile(join(directory, 'data/admin-token'), 'utf8')).length).toBeGreaterThanOrEqual(43);
  });

  it('shows the ages of all keys and the metrics of the process that alerts look at', async () => {
    const platform = await open();
    const shown = await platform.metrics.registry.metrics();
    await platform.close();
    for (const purpose of ['token', 'pin', 'data', 'event', 'checkpoint', 'subject', 'index'])
      expect(shown).toMatch(new RegExp(`^key_not_before_timestamp_seconds\\{purpose="${purpose}"\\} \\d{10}`, 'm'));
    for (const name of ['process_start_time_seconds', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
      expect(shown).toMatch(new RegExp(`^${name} \\S+$`, 'm'));
  });

  it('posts to relying parties and push services by the egress proxy', async () => {
    await using proxy = await ConnectProxy.start();
    const platform = await open({ EGRESS_PROXY: proxy.url, EGRESS_DIRECT: 'nothing.example', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
    proxy.answer = 403;
    await platform.post.send({ url: 'http://127.0.0.1:1/', headers: {}, body: '' });
    await platform.close();
    expect(proxy.asked).toEqual(['127.0.0.1:1']);
  });

  /** Of a new person. */
  const enrolledPhone = async ({ useCases }: Platform) => {
    const identityId = await useCases.identity().registerIdentity.execute(MARI);
    const { activationCode } = await useCases.phones().issueActivationCode.execute(identityId);
    const { deviceId } = await useCases
      .phones()
      .enrolDevice.execute({ ...enrolmentRequest(), signingCsr: signingRequest(newKey['P-256']()), activationCode: activationCode.reveal() });
    return deviceId;
  };

  it('lets pushes reach the networks of PUSH_ALLOWED_NETWORKS alone, whatever webhooks may reach', async () => {
    const service = await PushService.start();
    const endpoint = `${service.origin}/send/1`;
    const { p256dh, auth } = new BrowserKeys();
    let deviceId: DeviceId | undefined;
    const outcomeWith = async (allowed: string) => {
      const platform = await open({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', PUSH_ALLOWED_NETWORKS: allowed });
      deviceId ??= await enrolledPhone(platform);
      const device = (await platform.useCases.identity().findDevice.execute(deviceId))!;
      const kept = await platform.useCases
        .pushesOfPhones()
        .subscribeToPush.execute(device, { endpoint, p256dh, auth })
        .then(
          () => 'kept',
          (error: Error) => error.message,
        );
      await platform.pushPost.send({ url: endpoint, headers: {}, body: '' });
      await platform.close();
      return [kept, service.received.length];
    };
    expect(await outcomeWith(',')).toEqual([expect.stringContaining('`endpoint` must begin with https://'), 0]);
    expect(await outcomeWith('10.0.0.0/8')).toEqual([expect.stringContaining('`endpoint` must begin with https://'), 0]);
    expect(await outcomeWith('')).toEqual(['kept', 1]);
    await service.stop();
  });

  it('refuses a DATA_DIR that is not a writable directory, by name', async () => {
    await writeFile(join(directory, 'data'), '');
    await expect(open()).rejects.toThrow(/DATA_DIR must be a directory that this user may write to/);
  });

  it('aborts `stopping` when it stops', async () => {
    const platform = await open();
    expect(platform.stopping.aborted).toBe(false);
    platform.stop();
    expect(platform.stopping.aborted).toBe(true);
    await platform.close();
  });
});
