import type { Clock, DeviceId, IdentityId } from '#kernel';
import type { JobQueue } from '#engines/job-queue';

import { scheduleWakeUp, type WakeUpReason } from '../delivery/wake-up-jobs.js';
import type { PushSubscriptions } from '../repositories/push-subscriptions.js';

/** A session was pushed to the person, the person's device was enrolled, or a code for one was issued. */
export interface ReasonToWake {
  readonly eventId: string;
  readonly identityId: IdentityId;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly expiresAt: number;
  /** Absent: REQUEST. */
  readonly reason?: WakeUpReason;
  /** The device that was enrolled. The person's other devices are told. */
  readonly newDevice?: DeviceId;
}

/** Begins the pushes to every device of a person that has a subscription. A new device gets no push about itself. */
export class WakeDevices {
  constructor(
    private readonly subscriptions: PushSubscriptions,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  async execute({ eventId, identityId, at, expiresAt, reason, newDevice }: ReasonToWake): Promise<void> {
    if (this.clock.now() >= expiresAt) return;
    const kept = await this.subscriptions.of(identityId);
    for (const deviceId of Object.keys(kept) as DeviceId[]) {
      if (deviceId !== newDevice) await scheduleWakeUp(this.jobs, eventId, { identityId, deviceId, at, expiresAt, ...(reason && { reason }) });
    }
  }
}
