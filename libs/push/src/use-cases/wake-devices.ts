import type { Clock, DeviceId, IdentityId } from '#kernel';
import type { JobQueue } from '#job-queue';

import { scheduleWakeUp } from '../delivery/wake-up-jobs.js';
import type { PushSubscriptions } from '../repositories/push-subscriptions.js';

export interface PushedToInbox {
  readonly eventId: string;
  readonly identityId: IdentityId;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly expiresAt: number;
}

/** Begins the pushes to every device of a person that has a subscription. */
export class WakeDevices {
  constructor(
    private readonly subscriptions: PushSubscriptions,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  async execute({ eventId, identityId, at, expiresAt }: PushedToInbox): Promise<void> {
    if (this.clock.now() >= expiresAt) return;
    const kept = await this.subscriptions.of(identityId);
    for (const deviceId of Object.keys(kept) as DeviceId[]) await scheduleWakeUp(this.jobs, eventId, { identityId, deviceId, at, expiresAt });
  }
}
