import type { Clock } from '#kernel';
import type { FindDevice } from '#domain/identity';
import { type GuardedPost, type PostOutcome, retryAfterOf } from '#domain/webhook';

import { encryptWakeUp } from '../delivery/encrypt-wake-up.js';
import type { WakeUpPayload } from '../delivery/wake-up-jobs.js';
import { nextAttempt } from '../domain/retry.js';
import type { PushSubscriptions } from '../repositories/push-subscriptions.js';
import type { VapidKeys } from '../vapid-keys.js';

/**
 * `LATE`: no push service took it before the session ended. `GONE`: the browser no longer takes pushes, or its push service no longer exists. `REFUSED`: the push
 * service would refuse each further one.
 */
type WakeUpOutcome = 'SENT' | 'AGAIN' | 'LATE' | 'GONE' | 'REFUSED' | 'NO_SUBSCRIPTION';

/** Told of each attempt. */
export type WakeUpObserver = (outcome: WakeUpOutcome, answer?: PostOutcome) => void;

/** How long a push service may keep the notice of a new device or of a code for one, in seconds: a day. The person's other phone may be off at night. */
const NOTICE_KEPT = 86_400;

export interface SendWakeUpParts {
  readonly subscriptions: PushSubscriptions;
  readonly findDevice: FindDevice;
  readonly post: GuardedPost;
  readonly vapid: VapidKeys;
  readonly clock: Clock;
  readonly observe: WakeUpObserver;
}

/** One attempt to wake one device. */
export class SendWakeUp {
  constructor(private readonly parts: SendWakeUpParts) {}

  /**
   * Answers when to try again, in epoch milliseconds. A subscription by which no push will arrive is lost at once (RFC 8030 section 7.3), and after three
   * wake-ups in a row that got no answer or a passing refusal to their end. That of a revoked device is forgotten.
   */
  async execute(payload: WakeUpPayload, signal: AbortSignal): Promise<number | undefined> {
    const { subscriptions, findDevice, post, vapid, clock, observe } = this.parts;
    const { identityId, deviceId, expiresAt, reason = 'REQUEST' } = payload;
    const seconds = Math.floor((expiresAt - clock.now()) / 1000);
    if (seconds < 1) return this.#end('LATE');
    const subscription = (await subscriptions.of(identityId))[deviceId];
    const device = await findDevice.execute(deviceId);
    if (subscription && (!device || device.status === 'REVOKED')) await subscriptions.remove(identityId, deviceId);
    if (!subscription || device?.status !== 'ACTIVE') return this.#end('NO_SUBSCRIPTION');

    const message = { reason, seconds: reason === 'REQUEST' ? seconds : NOTICE_KEPT };
    const answer = await post.send({ ...encryptWakeUp(subscription, vapid, message), signal });
    const verdict = verdictOf(answer);
    if (verdict === 'SENT') await subscriptions.reached(identityId, deviceId, subscription);
    if (verdict === 'GONE' || verdict === 'REFUSED') await subscriptions.lose(identityId, deviceId, subscription);
    if (verdict !== 'AGAIN') return this.#end(verdict, answer);
    const now = clock.now();
    const retryAfter = 'status' in answer ? retryAfterOf(answer.retryAfter, now) : undefined;
    const next = nextAttempt({ now, at: payload.at, expiresAt, ...(retryAfter !== undefined && { retryAfter }) });
    if (next === undefined && isMiss(answer, signal) && (await subscriptions.missed(identityId, deviceId, subscription)))
      return this.#end('GONE', answer);
    observe(next === undefined ? 'LATE' : 'AGAIN', answer);
    return next;
  }

  #end(outcome: WakeUpOutcome, answer?: PostOutcome): undefined {
    this.parts.observe(outcome, answer);
  }
}

/** Whether the push service is to blame: not for an attempt that the end of the process broke off, nor for one that our own proxy did not let out. */
const isMiss = (answer: PostOutcome, { aborted }: AbortSignal): boolean => !aborted && !('error' in answer && answer.error === 'proxy_failed');

/** The host of a push service has no public address, or none at all. */
const WITHOUT_HOST: Readonly<Partial<Record<string, 'GONE' | 'REFUSED'>>> = { unknown_host: 'GONE', unreachable_address: 'REFUSED' };

const verdictOf = (answer: PostOutcome): 'SENT' | 'GONE' | 'REFUSED' | 'AGAIN' => {
  if ('error' in answer) return WITHOUT_HOST[answer.error] ?? 'AGAIN';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'SENT';
  if (status === 404 || status === 410) return 'GONE';
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'AGAIN' : 'REFUSED';
};
