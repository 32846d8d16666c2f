import { type EventStore, SubscriptionRefused } from '#engines/event-store';
import { IDENTITIES, INBOXES } from '#domain/identity';
import type { Platform } from '#service/platform';
import { runAgain } from '#engines/job-queue';
import { type ReasonToWake, WAKE_UP_QUEUE, type WakeUpPayload } from '#domain/push';

import { reasonOf, type Waking } from './reason-to-wake.js';

const COMPONENT = 'push';

/** Attempts at once. One that gets no answer ends after 15 seconds. */
const CONCURRENCY = 200;

/**
 * Wakes the phones of every session that is added to an inbox from now on, and the other phones of each person who gets a new one. Each replica follows all
 * inboxes and persons; the queue takes the job of an event once.
 * Undefined where the service has no VAPID keys.
 */
export const startPushes = (platform: Platform): { readonly end: () => Promise<void> } | undefined => {
  const { jobQueue, eventStore, readiness, stopping, log, useCases } = platform;
  const dispatch = useCases.pushDispatch();
  if (!dispatch) return undefined;
  const { wakeDevices, sendWakeUp } = dispatch;
  const processing = jobQueue.process<WakeUpPayload>(WAKE_UP_QUEUE, {
    concurrency: CONCURRENCY,
    signal: stopping,
    handler: async ({ payload }, { signal }) => {
      const next = await sendWakeUp.execute(payload, signal);
      return next === undefined ? undefined : runAgain(next);
    },
  });
  const following = followReasons(eventStore, stopping, async (event) => {
    try {
      await wakeDevices.execute(event);
    } catch (error) {
      // The phone finds the request, or the other phone, when its page is opened.
      log.error('phones are not woken', { component: COMPONENT, error });
    }
  });
  readiness.set('pushes', () => processing.check());
  return {
    end: async () => {
      await following;
      await processing.done;
    },
  };
};

const followReasons = async (store: EventStore, signal: AbortSignal, follow: (reason: ReasonToWake) => Promise<void>): Promise<void> => {
  try {
    for await (const item of store.subscribe<Waking>({ after: 'end', categories: [INBOXES.category, IDENTITIES.category], signal })) {
      const reason = item === 'caught-up' ? undefined : reasonOf(item);
      if (reason) await follow(reason);
    }
  } catch (error) {
    if (!(error instanceof SubscriptionRefused)) throw error;
  }
};
