import type { DeviceStatus } from '#clients/device';
import type { Pause } from '#kernel/browser';
import { type Reply, untilAnswered } from '#web-page/browser';

import { Watcher } from './watcher.js';

/** The state of this device on the home screen. */
export type DeviceCheck =
  | { readonly kind: 'CHECKING' }
  | { readonly kind: 'READY' }
  /** @param until epoch seconds; absent: only a new enrolment unlocks it */
  | { readonly kind: 'LOCKED'; readonly until?: number }
  | { readonly kind: 'OFFLINE' };

export interface DeviceWatchParts {
  readonly ask: () => Promise<Reply<DeviceStatus>>;
  readonly pause: Pause;
  /** Epoch milliseconds of the service. */
  readonly now: () => number;
  readonly onCheck: (check: DeviceCheck) => void;
  /** The service no longer knows this device. */
  readonly onRefused: () => void;
}

/** A lock that ends in an hour is asked about now and then: the clock of the service may be moved. */
const LONGEST_PAUSE_MS = 60_000;

/** Asks for the state of this device between `start` and `stop`: until it is ready, and again after each failure. */
export class DeviceWatch extends Watcher {
  constructor(private readonly parts: DeviceWatchParts) {
    super();
  }

  protected override async watch(signal: AbortSignal): Promise<void> {
    const { ask, pause, onCheck, onRefused } = this.parts;
    while (!signal.aborted) {
      const reply = await untilAnswered(ask, { pause, signal, onRetry: () => onCheck({ kind: 'OFFLINE' }) });
      if (signal.aborted) return;
      if (reply.kind === 'REFUSED') return reply.errorCode === 'invalid_device_proof' ? onRefused() : undefined;
      const check = checkOf(reply.body);
      onCheck(check);
      const wait = this.untilUnlocked(check);
      if (wait === undefined) return;
      await pause(wait);
    }
  }

  private untilUnlocked(check: DeviceCheck): number | undefined {
    if (check.kind !== 'LOCKED' || check.until === undefined) return undefined;
    return Math.min(LONGEST_PAUSE_MS, Math.max(1000, check.until * 1000 - this.parts.now()));
  }
}

const checkOf = ({ status, lockedUntil }: DeviceStatus): DeviceCheck => {
  if (status === 'ACTIVE') return { kind: 'READY' };
  return { kind: 'LOCKED', ...(lockedUntil === undefined ? {} : { until: lockedUntil }) };
};
