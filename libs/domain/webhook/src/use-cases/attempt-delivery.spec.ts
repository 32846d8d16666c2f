import { type AppendResult, type EventStore, EventStoreUnavailable, ForwardingEventStore, SqliteEventStore } from '#engines/event-store';
import { SqliteJobQueue } from '#engines/job-queue';
import { type ClientId, type EndpointId, Sealer, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import type { WebhookEndpoints } from '#domain/relying-party';
import { SessionPublication } from '#domain/session';
import { Metrics, SilentLog } from '#telemetry';

import { DeliveryLog } from '../delivery/delivery-log.js';
import { DeliveryLogs } from '../delivery/delivery-logs.js';
import { GATE_LIMITS, RetryLater } from '../delivery/endpoint-gate.js';
import { GuardedPost, type PostOutcome } from '../delivery/guarded-post.js';
import { WEBHOOK_QUEUE } from '../delivery/endpoint-share.js';
import { WebhookJobs } from '../delivery/webhook-jobs.js';
import { allEndpoints } from '#testkit/webhook/own-endpoints';
import type { Delivery } from '../domain/delivery.js';
import { ReachableNetworks } from '../domain/reachable-networks.js';
import { deliveriesProjection } from '../read-models/deliveries-projection.js';
import { DeliveryRows } from '../read-models/delivery-rows.js';
import { AddDelivery } from './add-delivery.js';
import { AttemptDelivery } from './attempt-delivery.js';

const clientId = 'c' as ClientId;
const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
const attempt = { version: 1, clientId, endpointId, deliveryId: 'd', attempt: 1 } as const;

/** A receiver that counts its calls, and answers when it is no longer held. */
class Receiver extends GuardedPost {
  calls = 0;
  answer: PostOutcome = { status: 429 };
  held: Promise<void> = Promise.resolve();

  constructor() {
    super({ networks: new ReachableNetworks([]) });
  }

  override async send(): Promise<PostOutcome> {
    this.calls += 1;
    await this.held;
    return this.answer;
  }
}

/** A store that a test disturbs before each append. */
class DisturbedStore extends ForwardingEventStore {
  disturb: () => Promise<void> = async () => undefined;

  override async append(...parameters: Parameters<EventStore['append']>): Promise<AppendResult> {
    await this.disturb();
    return super.append(...parameters);
  }
}

let clock: FixedClock;
let store: SqliteEventStore;
let disturbed: DisturbedStore;
let queue: SqliteJobQueue;
let projections: Projections;
let rows: DeliveryRows;
let receiver: Receiver;
let pauses: number;
let delays: number[];
beforeEach(async () => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  disturbed = new DisturbedStore(store);
  queue = new SqliteJobQueue({ path: ':memory:', clock, log: new SilentLog(), metrics: new Metrics() });
  projections = projectionsInMemory(store);
  rows = new DeliveryRows(projections.follow(deliveriesProjection));
  receiver = new Receiver();
  pauses = 0;
  delays = [];
  await new AddDelivery(new DeliveryLogs({ store, clock, rows }), new WebhookJobs(queue, allEndpoints()), clock).execute(delivery('d'));
});
afterEach(async () => {
  await projections.close();
  await queue.close();
  await store.close();
});

const delivery = (deliveryId: string) => ({
  clientId,
  endpointId,
  deliveryId,
  message: { type: 'session.cancelled', happenedAt: clock.now(), data: { sessionId: deliveryId, sequence: 1 } },
});

/** The attempts of one process. `disable`: called when the endpoint is gone; `pause`: before an outcome is stored again. */
const process = (over: EventStore, { disable = async () => undefined, pause = () => undefined }: Partial<Hooks> = {}): AttemptDelivery => {
  const endpoint = { endpointId, url: 'https://hooks.acme.example/', eventTypes: [], disabledBecause: null, secrets: [] };
  return new AttemptDelivery({
    logs: new DeliveryLogs({ store: over, clock, rows }),
    jobs: new WebhookJobs(queue, allEndpoints()),
    endpoints: { of: async () => [endpoint], handle: disable } as unknown as WebhookEndpoints,
    notices: { requestOf: async () => undefined },
    sessions: new SessionPublication(store),
    post: receiver,
    sealer: new Sealer(undefined as never, new SystemRandomness()),
    clock,
    randomness: new SystemRandomness(),
    observer: {
      begun: (_, delay) => void delays.push(delay),
      attempted: () => undefined,
      ended: () => undefined,
      disabled: () => undefined,
      proved: () => undefined,
    },
    pause: async () => {
      pauses += 1;
      pause();
    },
  });
};
interface Hooks {
  readonly disable: () => Promise<void>;
  readonly pause: () => void;
}

/** The delivery as another process knows it. */
const stored = async (): Promise<Delivery | undefined> => {
  const log = new DeliveryLog(endpointId, { store, clock, rows });
  await log.refresh();
  return (await log.find(['d'])).get('d');
};
const unavailable = async (): Promise<never> => Promise.reject(new EventStoreUnavailable('no answer'));
/** Lets a rival append before each append of the attempt, until the next pause. Each race takes a second of the clock. */
const loseRaces = (): { readonly pause: () => void } => {
  const rival = new DeliveryLog(endpointId, { store, clock, rows });
  let races = 0;
  disturbed.disturb = async () => {
    clock.advance(1_000);
    const { deliveryId, ...added } = delivery(`rival ${(races += 1)}`);
    await rival.record({ type: 'DeliveryAdded', data: { at: clock.now(), deliveryId, clientId, message: added.message } });
  };
  return { pause: () => (disturbed.disturb = async () => undefined) };
};
const running = new AbortController().signal;

describe('an attempt whose outcome the store does not take', () => {
  it('is recorded once the store answers again, and the message was sent once', async () => {
    disturbed.disturb = unavailable;
    const attempts = process(disturbed, { pause: () => pauses === 3 && (disturbed.disturb = async () => undefined) });
    await attempts.execute(attempt, running);
    expect([receiver.calls, pauses]).toEqual([1, 3]);
    expect(await stored()).toMatchObject({ state: 'pending', attempts: 1 });
    expect(await queue.counts(WEBHOOK_QUEUE)).toMatchObject({ scheduled: 1 });
  });

  it('does not delay later messages to an endpoint that answers quickly', async () => {
    disturbed.disturb = unavailable;
    const storeIsBack = (): void => {
      clock.advance(600_000);
      disturbed.disturb = async () => undefined;
    };
    const attempts = process(disturbed, { pause: storeIsBack });
    await attempts.execute(attempt, running);
    const full = GATE_LIMITS.inFlight + GATE_LIMITS.waiting;
    const ids = Array.from({ length: full + 1 }, (_, index) => `later-${index}`);
    const logs = new DeliveryLogs({ store, clock, rows });
    await Promise.all(ids.map((id) => new AddDelivery(logs, new WebhookJobs(queue, allEndpoints()), clock).execute(delivery(id))));
    const held = Promise.withResolvers<void>();
    receiver.held = held.promise;
    const all = ids.map((deliveryId) => attempts.execute({ ...attempt, deliveryId }, running));
    const first = await Promise.race(all); // the one that finds the gate full
    expect(first).toBeInstanceOf(RetryLater);
    expect((first as RetryLater).at - clock.now()).toBeLessThan(500);
    held.resolve();
    await Promise.all(all);
  });

  it('is recorded although other processes were first for five seconds', async () => {
    await process(disturbed, loseRaces()).execute(attempt, running);
    expect([receiver.calls, pauses]).toEqual([1, 1]);
    expect(await stored()).toMatchObject({ attempts: 1 });
  });

  it('is recorded when the endpoint is gone and could not be disabled at first', async () => {
    receiver.answer = { status: 410 };
    const disable = async (): Promise<void> => (pauses < 2 ? unavailable() : undefined);
    await process(store, { disable }).execute(attempt, running);
    expect(receiver.calls).toBe(1);
    expect(await stored()).toMatchObject({ state: 'disabled', attempts: 1 });
  });

  it('is dropped when the process stops: the attempt is made again', async () => {
    const stopping = new AbortController();
    disturbed.disturb = unavailable;
    const stopped = process(disturbed, { pause: () => stopping.abort() }).execute(attempt, stopping.signal);
    await expect(stopped).rejects.toBeInstanceOf(EventStoreUnavailable);
    expect(await stored()).toMatchObject({ attempts: 0 });
    await process(store).execute(attempt, running);
    expect(receiver.calls).toBe(2);
  });
});

describe('given that the queue lost its jobs during an attempt, and another process has it too', () => {
  it('sends no message twice more than attempts are recorded, also where the log is contended', async () => {
    const [one, other] = [process(disturbed, loseRaces()), process(store)];
    await one.execute(attempt, running).catch(() => (disturbed.disturb = async () => undefined));
    const held = Promise.withResolvers<void>();
    receiver.held = held.promise;
    // The job runs again, and once more when a reconciler has put it back.
    const both = [one.execute(attempt, running), other.execute(attempt, running)];
    held.resolve();
    await Promise.all(both);
    const recorded = (await stored())?.attempts ?? 0;
    expect(recorded).toBe(1);
    expect(receiver.calls - recorded).toBeLessThanOrEqual(1);
  });
});

describe('the time from an event to its webhook', () => {
  it('is reported at the first attempt, and not at later ones, which the receiver has caused', async () => {
    receiver.answer = { status: 500 };
    const attempts = process(store);
    clock.advance(1_500);
    await attempts.execute(attempt, running);
    clock.advance(600_000);
    await attempts.execute({ ...attempt, attempt: 2 }, running);
    expect([receiver.calls, delays]).toEqual([2, [1_500]]);
  });

  it('is not reported for a message that is not sent', async () => {
    await process(store).execute({ ...attempt, deliveryId: 'unknown' }, running);
    expect([receiver.calls, delays]).toEqual([0, []]);
  });
});

describe('an attempt that is recorded and whose job the queue still holds', () => {
  const brokenReceiver = async (attempts: AttemptDelivery): Promise<void> => {
    receiver.answer = { status: 500 };
    const logs = new DeliveryLogs({ store, clock, rows });
    for (let failures = 0; failures < GATE_LIMITS.failures; failures += 1) {
      const deliveryId = `broken-${failures}`;
      await new AddDelivery(logs, new WebhookJobs(queue, allEndpoints()), clock).execute(delivery(deliveryId));
      await attempts.execute({ ...attempt, deliveryId }, running);
    }
  };

  it('is done at once while its endpoint is paused: beside the next attempt it would stay in the queue, under an old number', async () => {
    const attempts = process(store);
    await attempts.execute(attempt, running);
    await brokenReceiver(attempts);
    const calls = receiver.calls;
    expect(await attempts.execute({ ...attempt, deliveryId: 'broken-0', attempt: 2 }, running)).toBeInstanceOf(RetryLater);
    expect(await attempts.execute(attempt, running)).toBeUndefined();
    expect(receiver.calls).toBe(calls);
  });

  it('leads to the next attempt, which the queue may not hold: the process may have died between the log and the queue', async () => {
    const attempts = process(store);
    await attempts.execute(attempt, running);
    const next = `d.${(await stored())!.attempts + 1}`;
    expect(await queue.cancel(WEBHOOK_QUEUE, next)).toBe(true);
    await attempts.execute(attempt, running);
    expect(await queue.cancel(WEBHOOK_QUEUE, next)).toBe(true);
    expect(receiver.calls).toBe(1);
  });
});
