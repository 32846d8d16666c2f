import type { Clock, DeviceId, IdentityId } from '#kernel';
import type { JobQueue } from '#engines/job-queue';

import { scheduleWakeUp } from '../delivery/wake-up-jobs.js';
import type { PushSubscriptions } from '../repositories/push-subscriptions.js';

/** A session was pushed to the person, or the person's device was enrolled. */
export interface ReasonToWake {
  readonly eventId: string;
  readonly identityId: IdentityId;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly expiresAt: number;
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

  async execute({ eventId, identityId, at, expiresAt, newDevice }: ReasonToWake): Promise<void> {
    if (this.clock.now() >= expiresAt) return;
    const kept = await this.subscriptions.of(identityId);
    const reason = newDevice && ({ reason: 'NEW_DEVICE' } as const);
    for (const deviceId of Object.keys(kept) as DeviceId[]) {
      if (deviceId !== newDevice) await scheduleWakeUp(this.jobs, eventId, { identityId, deviceId, at, expiresAt, ...reason });
    }
  }
}
