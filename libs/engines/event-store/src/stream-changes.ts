import { WakeUps, type Watch } from '#kernel';

import { type EventStore, SubscriptionRefused } from './event-store.js';

/** A watch that the subscription wakes, also for what happened during an interruption: it goes on after the last event. */
export interface StreamWatch extends Watch {
  readonly isLive: true;
}

/** Wakes callers that wait for a change of a stream in one category. It is only a hint: a woken caller reads the stream. */
export class StreamChanges {
  readonly #wakeUps = new WakeUps();

  constructor(
    private readonly store: EventStore,
    private readonly category: string,
  ) {}

  /** Follows the store from now on, until the signal ends it or the store refuses it, which makes the store not ready. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for await (const item of this.store.subscribe({ after: 'end', categories: [this.category], signal })) {
        if (item !== 'caught-up') this.#wakeUps.wake(item.stream);
      }
    } catch (error) {
      if (!(error instanceof SubscriptionRefused)) throw error;
    }
  }

  /** Watches `<category>-<id>`. */
  watch(id: string): StreamWatch {
    return Object.assign(this.#wakeUps.watch(`${this.category}-${id.toLowerCase()}`), { isLive: true } as const);
  }

  /** Resolves at the next event of `<category>-<id>`, after `milliseconds`, or when the signal aborts; whichever is first. */
  async next(id: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    const watch = this.watch(id);
    await watch.next(milliseconds, signal);
    watch.close();
  }
}
