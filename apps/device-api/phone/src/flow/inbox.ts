import type { PushedSession } from '#clients/device';
import type { Pause } from '#kernel/browser';
import { type Reply, untilAnswered } from '#web-page/browser';

import { Watcher } from './watcher.js';

export interface InboxParts {
  readonly ask: (signal: AbortSignal) => Promise<Reply<readonly PushedSession[]>>;
  readonly pause: Pause;
  readonly onSessions: (sessions: readonly PushedSession[]) => void;
  /** The service no longer knows this device. */
  readonly onRefused: () => void;
}

/** Between two calls, so that answers that the service does not hold are not asked for in a loop. */
const PAUSE_MS = 1500;

/** Asks for pushed sessions between `start` and `stop`: while the home screen is visible. */
export class Inbox extends Watcher {
  constructor(private readonly parts: InboxParts) {
    super();
  }

  protected override async watch(signal: AbortSignal): Promise<void> {
    let shown = '';
    while (!signal.aborted) {
      const reply = await untilAnswered(() => this.parts.ask(signal), { pause: this.parts.pause, signal });
      if (signal.aborted) return;
      if (reply.kind === 'REFUSED') {
        if (reply.errorCode === 'invalid_device_proof') return this.parts.onRefused();
        return;
      }
      const now = reply.body.map(({ sessionId }) => sessionId).join();
      if (now !== shown) this.parts.onSessions(reply.body);
      shown = now;
      await this.parts.pause(PAUSE_MS);
    }
  }
}
