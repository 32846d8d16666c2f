import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { pause } from '../support/index.js';
import { metric } from './support/metric.js';
import { sentBeyond } from './support/sent-beyond.js';
import { WebhookBacklog } from './support/webhook-backlog.js';
import type { Delivery } from './support/webhook-checker.js';
import { WebhookQueue } from './support/webhook-queue.js';
import { WebhookRig } from './support/webhook-rig.js';

const TERMS = { away: 2, busy: 10 };
/** Each is pending at all busy endpoints, for the whole of the drill. */
const SESSIONS = 500;
const PENDING = SESSIONS * TERMS.busy;
const POSTPONED = 100;
const POSTPONED_WITHIN = 120_000;
/** In milliseconds (specification/reliability.md#drill-11, specification/reliability.md#drill-12). */
const RESTORED_WITHIN = 60_000;
const BACK_WITHIN = 10_000;
/** Until a whole topic has been written and read again. Milliseconds. */
const REFILLED_WITHIN = 90_000;
const LOAD_TIME = 1_500;

let rig: WebhookRig;
let queue: WebhookQueue;
let backlog: WebhookBacklog;

beforeAll(async () => {
  const settings = { SESSION_TTL: '900', IDLE_GRACE: '0' };
  rig = await WebhookRig.start('webhooks-engines', settings, { kills: ['KAFKA_BROKERS', 'REDIS_URL'], replicated: ['webhook-dispatcher'] });
  queue = new WebhookQueue(rig.topology.settings['REDIS_URL']!);
  backlog = await WebhookBacklog.open(rig.staff, rig.service, TERMS);
  await backlog.grow(SESSIONS);
  await eventually(async () => (await backlog.pending()).later.length >= POSTPONED, { what: 'some are postponed', within: POSTPONED_WITHIN });
});

afterAll(async () => {
  backlog?.close();
  await queue?.close();
  await rig?.stop();
});

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
};

/** The attempts that these deliveries wait for, as the delivery log knows them. */
const expected = (deliveries: readonly Delivery[]) =>
  new Map(deliveries.map(({ deliveryId, attempts, nextAttemptAt = 0 }) => [deliveryId, { attempt: attempts.length + 1, due: nextAttemptAt }]));
/** The same of the queue; the API tells whole seconds. */
const queued = async (deliveries: readonly Delivery[]) => {
  const attempts = await queue.attempts();
  return new Map(
    deliveries.flatMap(({ deliveryId }) => {
      const known = attempts.get(deliveryId);
      return known ? [[deliveryId, { attempt: known.attempt, due: Math.floor(known.due / 1_000) }]] : [];
    }),
  );
};
const areBack = async (deliveries: readonly Delivery[]): Promise<boolean> => {
  const attempts = await queue.attempts();
  const arrived = backlog.arrived();
  return deliveries.every(({ deliveryId }) => attempts.has(deliveryId) || arrived.has(deliveryId));
};

/** Each outage may cost one call of a message that is under way (specification/reliability.md#drill-11). */
let outages = 0;
const sentTooOften = (): Promise<readonly string[]> => sentBeyond(outages, [...rig.endpoints, ...backlog.away, ...backlog.busy]);

describe('Redis', () => {
  it(`FLUSHALL with ${PENDING} deliveries pending: all are back within a minute, with their due times and attempt numbers, and all arrive`, async () => {
    const { all, later } = await backlog.pending();
    expect(all.length).toBeGreaterThanOrEqual(PENDING);
    expect(await queued(later)).toEqual(expected(later));
    const violations = await rig.underLoad(async () => {
      await pause(LOAD_TIME);
      outages += 1;
      await queue.flushAll();
      const restored = await took(() => eventually(() => areBack(all), { what: 'the jobs are back', within: RESTORED_WITHIN }));
      expect(await queued(later)).toEqual(expected(later));
      backlog.comeBack();
      console.log(`${all.length} pending, ${later.length} of them postponed; restored ${restored} ms after FLUSHALL`);
    });
    expect([...violations, ...(await backlog.violations()), ...(await rig.webhookViolations())]).toEqual([]);
    expect(await sentTooOften()).toEqual([]);
    await eventually(async () => (await queue.repeated()) === 0, { what: 'no job of a recorded attempt is left', within: RESTORED_WITHIN });
  });

  it('kill -9 and a start with its file: no delivery is lost, and webhooks continue within ten seconds', async () => {
    const { later } = await backlog.pending();
    const violations = await rig.underLoad(async () => {
      await pause(LOAD_TIME);
      outages += 1;
      await rig.topology.redis!.kill();
      await pause(LOAD_TIME);
      const messages = rig.messages;
      await rig.topology.redis!.start();
      expect(await queued(later)).toEqual(expected(later));
      console.log(
        `webhooks go on ${await took(() => eventually(() => rig.messages > messages, { what: 'webhooks go on', within: BACK_WITHIN }))} ms after the start`,
      );
      // A status that Redis did not take is written again within two seconds after its return.
      await pause(2 * LOAD_TIME);
    });
    expect([...violations, ...(await rig.webhookViolations())]).toEqual([]);
    expect(await sentTooOften()).toEqual([]);
  });

  it('kill -9 and a start without its file: as after FLUSHALL', async () => {
    const { later } = await backlog.pending();
    const violations = await rig.underLoad(async () => {
      await pause(LOAD_TIME);
      outages += 1;
      await rig.topology.redis!.kill();
      await rig.topology.redis!.wipe();
      await rig.topology.redis!.start();
      console.log(
        `restored ${await took(() => eventually(() => areBack(later), { what: 'the jobs are back', within: RESTORED_WITHIN }))} ms after the start`,
      );
      expect(await queued(later)).toEqual(expected(later));
    });
    expect([...violations, ...(await rig.webhookViolations())]).toEqual([]);
    expect(await sentTooOften()).toEqual([]);
  });
});

describe('Kafka', () => {
  /** How many messages the dispatchers have processed. */
  const dealtWith = async (): Promise<number> => {
    const outcomes = ['handled', 'ignored', 'duplicate', 'gap'];
    const counts = await Promise.all(
      rig.dispatchers.flatMap((replica) => outcomes.map((outcome) => metric(replica, 'message_bus_messages_total', { group: 'webhooks', outcome }))),
    );
    return counts.reduce<number>((sum, count = 0) => sum + count, 0);
  };

  it('a wiped topic is filled again from the store, and no message is sent twice', async () => {
    const messages = rig.messages;
    const events = await rig.events(backlog.sessionIds);
    const dealt = await dealtWith();
    const kafka = rig.topology.kafka!;
    await kafka.kill();
    await kafka.wipe();
    await kafka.start();
    const violations = await rig.underLoad(() =>
      eventually(async () => (await dealtWith()) >= dealt + events, { what: 'the whole topic is read again', within: REFILLED_WITHIN }),
    );
    expect([...violations, ...(await rig.webhookViolations())]).toEqual([]);
    expect(await sentTooOften()).toEqual([]);
    console.log(`${events} events read again; ${rig.messages - messages} messages of new sessions`);
  });
});
