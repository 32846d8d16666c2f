import { type ClientId, type EndpointId, KeyedQueue, type Pause, pause, type Randomness } from '#kernel';
import { ClientNotFound, type DisabledBecause, EndpointNotFound, type WebhookEndpoints } from '#domain/relying-party';

import { isNotice } from '../domain/client-notice.js';
import { type Delivery, laneOf } from '../domain/delivery.js';
import type { AttemptOutcome, DeliveryEnd } from '../domain/delivery.events.js';
import { retryAfterOf } from '../domain/retry-after.js';
import { nextWait, scheduleOf } from '../domain/schedule.js';
import { ProofExchange } from '../delivery/proof-exchange.js';
import { traced } from '../delivery/attempt-span.js';
import type { DeliveryLog } from '../delivery/delivery-log.js';
import type { DeliveryLogs } from '../delivery/delivery-logs.js';
import { type DeliveryTarget, DeliveryTargets, type DeliveryTargetsParts } from '../delivery/delivery-targets.js';
import { EndpointGate, RetryLater } from '../delivery/endpoint-gate.js';
import type { GuardedPost, PostOutcome } from '../delivery/guarded-post.js';
import type { WebhookRecorder } from '../delivery/recorded-webhooks.js';
import { untilStored } from '../delivery/until-stored.js';
import type { AttemptPayload, WebhookJobs } from '../delivery/webhook-jobs.js';
import { type ProofObserver, ProveEndpoint } from './prove-endpoint.js';

/** Told of each outcome. */
export interface DeliveryObserver extends ProofObserver {
  /** A message is about to be sent for the first time. `delay`: milliseconds since the event that it announces. */
  begun(endpointId: EndpointId, delay: number): void;
  attempted(endpointId: EndpointId, outcome: AttemptOutcome): void;
  ended(endpointId: EndpointId, end: DeliveryEnd): void;
  disabled(clientId: ClientId, endpointId: EndpointId, because: DisabledBecause): void;
}

export interface AttemptDeliveryParts extends DeliveryTargetsParts {
  readonly logs: DeliveryLogs;
  readonly jobs: WebhookJobs;
  readonly endpoints: WebhookEndpoints;
  readonly post: GuardedPost;
  readonly randomness: Randomness;
  readonly observer: DeliveryObserver;
  readonly recordedWebhooks?: Pick<WebhookRecorder, 'sent'> | undefined;
  /** Resolves after the time, or at the signal. Default: a timer. */
  readonly pause?: Pause;
}

/** An endpoint is disabled after this time without a success, in milliseconds. */
const FAILING_TOO_LONG = 5 * 86_400_000;

/** A job that is taken later than this after its time is late, in milliseconds. */
const LATE = 1_000;

/** The process stopped during the attempt, which does not count. */
class Interrupted extends Error {}

/** Makes one attempt at a delivery, records its outcome and schedules the next one. */
export class AttemptDelivery {
  readonly #lanes = new KeyedQueue();
  readonly #gates = new Map<EndpointId, EndpointGate>();

  readonly #proofs: ProveEndpoint;
  readonly #targets: DeliveryTargets;

  constructor(private readonly parts: AttemptDeliveryParts) {
    this.#proofs = new ProveEndpoint({ ...parts, exchange: new ProofExchange(parts) });
    this.#targets = new DeliveryTargets(parts);
  }

  /**
   * May be called again with the same attempt: one that is recorded is not made again. Once the message has been sent, this resolves when its
   * outcome is recorded, however long the store is unavailable; it rejects when the signal ends the wait, and then the message is sent once more.
   * {@link RetryLater} when the endpoint takes no more at present, or another message about the session comes first.
   */
  async execute({ endpointId, deliveryId, attempt }: AttemptPayload, signal: AbortSignal): Promise<RetryLater | void> {
    const log = await this.parts.logs.of(endpointId);
    if (!log.get(deliveryId)) await log.refresh();
    const known = log.get(deliveryId);
    if (!known) return;
    if (known.message.proof) return this.#proofs.execute(log, { deliveryId, attempt }, signal);
    return this.#lanes.run(`${endpointId}/${laneOf(known)}`, () => this.#inLane(log, { deliveryId, attempt }, signal));
  }

  /** Forgets the limits of all other endpoints. Running attempts keep their old limits until they end. */
  keepOnly(isKept: (endpointId: EndpointId) => boolean): void {
    for (const endpointId of [...this.#gates.keys()]) if (!isKept(endpointId)) this.#gates.delete(endpointId);
  }

  /** The gate comes before all reads, so that an attempt that it refuses costs none. One that memory knows as made needs no place in it. */
  async #inLane(
    log: DeliveryLog,
    { deliveryId, attempt }: Pick<AttemptPayload, 'deliveryId' | 'attempt'>,
    signal: AbortSignal,
  ): Promise<RetryLater | void> {
    const known = log.get(deliveryId);
    if (known && known.attempts >= attempt) return this.#scheduleNext(log, known);
    const gate = this.#gate(log.endpointId);
    const leave = await gate.enter();
    if (leave instanceof RetryLater) return leave;
    let failed: boolean | undefined;
    let answeredAt: number | undefined;
    try {
      if (!this.#isCurrent(log, deliveryId, attempt)) await log.refresh();
      const delivery = log.get(deliveryId);
      if (delivery?.state !== 'pending') return;
      // The process died after the log and before the queue.
      if (delivery.attempts >= attempt) return await this.#scheduleNext(log, delivery);
      const target = await this.#targets.find(log, delivery);
      if (typeof target === 'string') return await this.#end(log, delivery, target);
      if (!log.isNext(delivery)) return gate.retrySoon();
      const outcome = await this.#send(log.endpointId, delivery, target, signal);
      // The receiver has answered: the time that the store takes for the outcome does not count as the receiver's.
      [failed, answeredAt] = [isBroken(outcome), this.parts.clock.now()];
      await this.#conclude(log, delivery, outcome, signal);
    } finally {
      leave(failed, answeredAt);
    }
  }

  /**
   * Whether the log in memory is recent enough. A first attempt became a job when it was next in its lane. Another process may have made a late
   * one meanwhile, and may have added messages that a retry has to wait for.
   */
  #isCurrent(log: DeliveryLog, deliveryId: string, attempt: number): boolean {
    const known = log.get(deliveryId);
    if (!known || known.attempts >= attempt) return known !== undefined;
    return attempt === 1 && known.state === 'pending' && log.isNext(known) && this.parts.clock.now() - known.nextAt < LATE;
  }

  async #send(endpointId: EndpointId, delivery: Delivery, target: DeliveryTarget, signal: AbortSignal): Promise<PostOutcome> {
    const { clock, post, observer } = this.parts;
    if (delivery.attempts === 0) observer.begun(endpointId, clock.now() - delivery.message.happenedAt);
    const request = target();
    if (!isNotice(delivery.message.type)) this.parts.recordedWebhooks?.sent(delivery.clientId, { ...request, body: String(request.body) });
    const outcome = await traced(endpointId, delivery, (trace) => post.send({ ...request, headers: { ...request.headers, ...trace }, signal }));
    if (signal.aborted && 'error' in outcome) throw new Interrupted();
    return outcome;
  }

  async #conclude(log: DeliveryLog, delivery: Delivery, outcome: PostOutcome, signal: AbortSignal): Promise<void> {
    const { clock, observer } = this.parts;
    const at = clock.now();
    const { retryAfter, ...met } = 'status' in outcome ? outcome : { ...outcome, retryAfter: undefined };
    const gone = 'status' in outcome && outcome.status === 410;
    if (gone) await this.#untilStored(() => this.#disable(delivery.clientId, log.endpointId, 'GONE'), signal);
    const next = gone ? { end: 'disabled' as const } : this.#next(delivery, outcome, { at, retryAfter });
    const { deliveryId, attempts } = delivery;
    const data = { at, deliveryId, attempt: attempts + 1, ...met, ...next };
    const after = await this.#untilStored(() => log.record({ type: 'DeliveryAttempted', data }), signal);
    observer.attempted(log.endpointId, met);
    if (after && after.state !== 'pending') observer.ended(log.endpointId, after.state);
    if (log.failingSince !== undefined && at - log.failingSince >= FAILING_TOO_LONG)
      await this.#disable(delivery.clientId, log.endpointId, 'FAILING');
    await this.#scheduleNext(log, after ?? log.get(deliveryId) ?? delivery);
  }

  /** The receiver has the message. If its outcome were dropped, the job would run again and send it once more, for each time that it is dropped. */
  #untilStored<Result>(store: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return untilStored(store, this.parts.pause ?? pause, signal);
  }

  #next(
    { message, tries }: Delivery,
    outcome: PostOutcome,
    { at, retryAfter }: { readonly at: number; readonly retryAfter: string | undefined },
  ): { end: DeliveryEnd } | { nextAt: number } {
    if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) return { end: 'succeeded' };
    const schedule = scheduleOf(message.type);
    const asked = retryAfterOf(retryAfter, at);
    const wait = nextWait(schedule, {
      attempts: tries + 1,
      ...(asked !== undefined && { retryAfter: asked }),
      random: this.parts.randomness.bytes(4).readUInt32BE() / 2 ** 32,
    });
    return wait === undefined ? { end: schedule.end } : { nextAt: at + wait };
  }

  async #end(log: DeliveryLog, delivery: Delivery, end: DeliveryEnd): Promise<void> {
    const after = await log.record({ type: 'DeliveryEnded', data: { at: this.parts.clock.now(), deliveryId: delivery.deliveryId, end } });
    if (after) this.parts.observer.ended(log.endpointId, end);
    await this.#scheduleNext(log, after ?? delivery);
  }

  /** Its own next attempt, and the first attempts of deliveries that waited for this one. */
  async #scheduleNext(log: DeliveryLog, delivery: Delivery): Promise<void> {
    await this.parts.jobs.schedule(log, delivery);
    for (const other of log.lane(delivery)) if (other.attempts === 0) await this.parts.jobs.schedule(log, other);
  }

  async #disable(clientId: ClientId, endpointId: EndpointId, disabledBecause: DisabledBecause): Promise<void> {
    const command = { type: 'ChangeWebhookEndpoint', now: this.parts.clock.now(), endpointId, changes: { disabledBecause } } as const;
    try {
      await this.parts.endpoints.handle(clientId, command);
      this.parts.observer.disabled(clientId, endpointId, disabledBecause);
    } catch (error) {
      if (!(error instanceof ClientNotFound || error instanceof EndpointNotFound)) throw error; // removed meanwhile
    }
  }

  #gate(endpointId: EndpointId): EndpointGate {
    const gate = this.#gates.get(endpointId) ?? new EndpointGate(this.parts.clock);
    this.#gates.set(endpointId, gate);
    return gate;
  }
}

/** Whether the receiver as a whole is down or broken, rather than refusing this message. */
const isBroken = (outcome: PostOutcome): boolean => !('status' in outcome) || outcome.status >= 500;
