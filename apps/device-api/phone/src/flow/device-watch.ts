import type { DeviceStatus } from '#clients/device';
import { type Reply, retryDelayMs } from '#web-page/browser';

/** The state of this device on the home screen. */
export type DeviceCheck =
  | { readonly kind: 'CHECKING' }
  | { readonly kind: 'READY' }
  /** @param until epoch seconds; absent: only a new enrolment unlocks it */
  | { readonly kind: 'LOCKED'; readonly until?: number }
  | { readonly kind: 'OFFLINE' };

export interface DeviceWatchParts {
  readonly ask: () => Promise<Reply<DeviceStatus>>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Epoch milliseconds of the service. */
  readonly now: () => number;
  readonly onCheck: (check: DeviceCheck) => void;
  /** The service no longer knows this device. */
  readonly onRefused: () => void;
}

/** A lock that ends in an hour is asked about now and then: the clock of the service may be moved. */
const LONGEST_PAUSE_MS = 60_000;

/** Asks for the state of this device between `start` and `stop`: until it is ready, and again after each failure. */
export class DeviceWatch {
  private round = 0;
  private running = false;

  constructor(private readonly parts: DeviceWatchParts) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.round += 1;
    void this.watch(this.round);
  }

  stop(): void {
    this.running = false;
    this.round += 1;
  }

  private async watch(round: number): Promise<void> {
    for (let failures = 0; ;) {
      const reply = await this.parts.ask();
      if (round !== this.round) return;
      if (reply.kind === 'REFUSED') return reply.errorCode === 'invalid_device_proof' ? this.parts.onRefused() : undefined;
      const check = checkOf(reply);
      this.parts.onCheck(check);
      if (check.kind === 'READY') return;
      failures = check.kind === 'OFFLINE' ? failures + 1 : 0;
      const wait = reply.kind === 'UNREACHABLE' ? retryDelayMs(failures, reply.retryAfterMs) : this.untilUnlocked(check);
      if (wait === undefined) return;
      await this.parts.pause(wait);
      if (round !== this.round) return;
    }
  }

  private untilUnlocked(check: DeviceCheck): number | undefined {
    if (check.kind !== 'LOCKED' || check.until === undefined) return undefined;
    return Math.min(LONGEST_PAUSE_MS, Math.max(1000, check.until * 1000 - this.parts.now()));
  }
}

const checkOf = (reply: Exclude<Reply<DeviceStatus>, { kind: 'REFUSED' }>): DeviceCheck => {
  if (reply.kind === 'UNREACHABLE') return { kind: 'OFFLINE' };
  const { status, lockedUntil } = reply.body;
  if (status === 'ACTIVE') return { kind: 'READY' };
  return { kind: 'LOCKED', ...(lockedUntil === undefined ? {} : { until: lockedUntil }) };
};
