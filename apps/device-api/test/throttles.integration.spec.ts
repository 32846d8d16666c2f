import { withParts } from '#testkit/platform/test-platform';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';

import { eventually } from '#testkit/kernel/eventually';
import { redisReplicas } from '#testkit/rate-limit/redis-replicas';
import { someAddress } from '#testkit/rate-limit/some-address';
import { type EnrolmentRefused, newPhoneKeys, Phone } from '#clients/software-phone';

import { createDeviceApiApp } from '../src/app.js';
import { deviceApiFixture } from './device-api.fixture.js';

const url = process.env['REDIS_URL'];
const LIMIT = 5;
const POLLS = 3;
const ATTEMPTS = 20;

(url === undefined ? describe.skip : describe)('two replicas of the device API with one Redis', () => {
  let first: Awaited<ReturnType<typeof deviceApiFixture>>;
  let second: NestFastifyApplication;
  let addresses: readonly string[];
  let redis: Redis;
  let closing: readonly (() => unknown)[] = [];

  beforeEach(async () => {
    const [one, other] = await redisReplicas(url ?? '');
    redis = new Redis(url ?? '');
    first = await deviceApiFixture({ AUTHENTICATION_FAILURE_LIMIT: String(LIMIT), POLL_LIMIT: String(POLLS) }, { rateLimits: one });
    second = await createDeviceApiApp(withParts(first.platform, { rateLimits: other }));
    await second.listen(0, '127.0.0.1');
    addresses = [first.baseUrl, `http://127.0.0.1:${(second.getHttpServer().address() as AddressInfo).port}`];
    closing = [() => second.close(), () => first.close(), () => one.close(), () => other.close(), () => redis.disconnect()];
  });
  afterEach(async () => {
    await forgetFailures();
    for (const close of closing) await close();
  });

  /** Phones all come from this machine's own address. */
  const forgetFailures = async (): Promise<void> => {
    for (const key of await redis.keys('rate-limit:app-failures:*')) await redis.del(key);
  };
  const how = (many: readonly number[], status: number): number => many.filter((each) => each === status).length;

  /** Makes attempts at once, at one replica and the other in turn, until as many are refused as one replica alone would refuse. */
  const refusedBeyond = async (limit: number, attempt: (at: number) => Promise<number>, before: () => Promise<unknown>) => {
    let answered: readonly number[] = [];
    // A replica to which Redis answers too late counts for itself.
    await eventually(
      async () => {
        await before();
        answered = await Promise.all(Array.from({ length: ATTEMPTS }, (_, at) => attempt(at % 2)));
        return how(answered, 429) === ATTEMPTS - limit;
      },
      { what: () => `${limit} of these pass: ${answered.join(' ')}` },
    );
    return answered;
  };

  it('refuse the enrolments of an address with wrong codes as often as one would, and let phones go on', async () => {
    const phone = await first.enrol();
    const keys = await newPhoneKeys(first.platform.randomness);
    const wrong = { activationCode: 'AAAA-AAAA-AAAA-AAAA', keys };
    const guess = (at: number): Promise<number> =>
      first.enrol({ ...wrong, baseUrl: addresses[at]! }).then(
        () => 200,
        (error: EnrolmentRefused) => error.reply.status,
      );
    expect(how(await refusedBeyond(LIMIT, guess, forgetFailures), 400)).toBe(LIMIT);
    expect(await phone.pending()).toMatchObject({ ok: true });
  });

  it('refuse an address that proves nothing as often as one would', async () => {
    let remoteAddress = '';
    const request = async (at: number): Promise<number> => {
      const replica = at === 0 ? first.app : second;
      return (await replica.inject({ url: '/app/v1/session/pending', headers: { 'device-proof': 'x' }, remoteAddress })).statusCode;
    };
    const elsewhere = async () => (remoteAddress = someAddress());
    expect(how(await refusedBeyond(LIMIT, request, elsewhere), 401)).toBe(LIMIT);
  });

  it('answer one phone as often as POLL_LIMIT says, whichever of them it asks', async () => {
    let phones: readonly Phone[] = [];
    const newPhone = async (): Promise<void> => {
      const state = (await first.enrol()).toJSON();
      phones = addresses.map((baseUrl) => Phone.restore({ ...state, baseUrl }, { clock: first.platform.clock }));
    };
    const ask = async (at: number): Promise<number> => {
      const reply = await phones[at]!.pending();
      return reply.ok ? 200 : reply.status;
    };
    expect(how(await refusedBeyond(POLLS, ask, newPhone), 200)).toBe(POLLS);
  });
});
