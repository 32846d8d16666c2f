import type { DeviceId, IdentityId } from '#kernel';
import type { JobPayload, JobQueue } from '#engines/job-queue';

export const WAKE_UP_QUEUE = 'push-wake-ups';

export type WakeUpPayload = JobPayload & WakeUp;

/** REQUEST: a service asks. NEW_DEVICE: the person has another phone now. NEW_CODE: somebody holds a code that sets one up, for a person with power in the portal. */
export type WakeUpReason = 'REQUEST' | 'NEW_DEVICE' | 'NEW_CODE';

/** Times in epoch milliseconds. Ids alone: the address is sealed in the store. */
type WakeUp = {
  readonly identityId: IdentityId;
  readonly deviceId: DeviceId;
  readonly at: number;
  readonly expiresAt: number;
  /** Absent: REQUEST. */
  readonly reason?: WakeUpReason;
};

/** One push to one device for an event of the store. Its id is that of the event, so every replica may schedule it. */
export const scheduleWakeUp = (queue: JobQueue, eventId: string, wakeUp: WakeUp): Promise<void> => {
  const id = `${eventId}.${wakeUp.deviceId}`;
  return queue.schedule(WAKE_UP_QUEUE, { id, payload: { version: 1, ...wakeUp }, at: wakeUp.at });
};
