import type { PushedSession } from '#clients/device';
import { type Reply, retryDelayMs } from '#web-page/browser';

export interface InboxParts {
  readonly ask: (signal: AbortSignal) => Promise<Reply<readonly PushedSession[]>>;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly onSessions: (sessions: readonly PushedSession[]) => void;
  /** The service no longer knows this device. */
  readonly onRefused: () => void;
}

/** Between two calls, so that answers that the service does not hold are not asked for in a loop. */
const PAUSE_MS = 1500;

/** Asks for pushed sessions between `start` and `stop`: while the home screen is visible. */
export class Inbox {
  private running: AbortController | undefined;

  constructor(private readonly parts: InboxParts) {}

  start(): void {
    if (this.running !== undefined) return;
    this.running = new AbortController();
    void this.watch(this.running.signal);
  }

  stop(): void {
    this.running?.abort();
    this.running = undefined;
  }

  private async watch(signal: AbortSignal): Promise<void> {
    let failures = 0;
    let shown = '';
    while (!signal.aborted) {
      const reply = await this.parts.ask(signal);
      if (signal.aborted) return;
      if (reply.kind === 'REFUSED') {
        if (reply.errorCode === 'invalid_device_proof') return this.parts.onRefused();
        return;
      }
      if (reply.kind === 'UNREACHABLE') {
        failures += 1;
        await this.parts.pause(retryDelayMs(failures, reply.retryAfterMs));
        continue;
      }
      failures = 0;
      const now = reply.body.map(({ sessionId }) => sessionId).join();
      if (now !== shown) this.parts.onSessions(reply.body);
      shown = now;
      await this.parts.pause(PAUSE_MS);
    }
  }
}
