import { type EventStore, idOf, SubscriptionRefused } from '#event-store';
import type { DomainEvent, IdentityId } from '#kernel';
import type { Platform } from '#platform';
import { runAgain } from '#job-queue';
import { pushDispatch, WAKE_UP_QUEUE, type WakeUpPayload } from '#push';

const COMPONENT = 'push';

/** Attempts at once. One that gets no answer ends after 15 seconds. */
const CONCURRENCY = 200;

type Pushed = DomainEvent<'SessionPushed', { readonly at: number; readonly expiresAt: number }>;

/**
 * Wakes the phones of every session that is added to an inbox from now on. Each replica follows all inboxes; the queue takes the job of an event once.
 * Undefined where the service has no VAPID keys.
 */
export const startPushes = (platform: Platform): { readonly end: () => Promise<void> } | undefined => {
  const { vapid, jobQueue, eventStore, readiness, stopping, log, metrics } = platform;
  if (!vapid) return undefined;
  const { wakeDevices, sendWakeUp, close } = pushDispatch(platform, vapid, (outcome, answer) => {
    metrics.pushWakeUps.inc({ outcome });
    if (outcome !== 'REFUSED' || !answer) return;
    log.warn('a push service refuses a wake-up', {
      component: COMPONENT,
      ...('status' in answer ? { status: answer.status } : { reason: answer.error }),
    });
  });
  const processing = jobQueue.process<WakeUpPayload>(WAKE_UP_QUEUE, {
    concurrency: CONCURRENCY,
    signal: stopping,
    handler: async ({ payload }, { signal }) => {
      const next = await sendWakeUp.execute(payload, signal);
      return next === undefined ? undefined : runAgain(next);
    },
  });
  const following = followInboxes(eventStore, stopping, async (event) => {
    try {
      await wakeDevices.execute(event);
    } catch (error) {
      // The phone finds the request in its inbox all the same.
      log.error('phones are not woken', { component: COMPONENT, error });
    }
  });
  readiness.set('pushes', () => processing.check());
  return {
    end: async () => {
      await following;
      await processing.done;
      close();
    },
  };
};

type Follow = (event: { eventId: string; identityId: IdentityId; at: number; expiresAt: number }) => Promise<void>;

const followInboxes = async (store: EventStore, signal: AbortSignal, follow: Follow): Promise<void> => {
  try {
    for await (const item of store.subscribe<Pushed>({ after: 'end', categories: ['inbox'], signal })) {
      if (item !== 'caught-up')
        await follow({ eventId: item.id, identityId: idOf<IdentityId>(item.stream), at: item.data.at, expiresAt: item.data.expiresAt });
    }
  } catch (error) {
    if (!(error instanceof SubscriptionRefused)) throw error;
  }
};
