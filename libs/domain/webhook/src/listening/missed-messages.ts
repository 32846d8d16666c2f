import { type EventStore, type Place, SubscriptionRefused } from '#engines/event-store';
import { type ClientId, KeyedQueue } from '#kernel';
import type { SessionPublication } from '#domain/session';

import { clientOf, heardOf } from './heard-of.js';
import { type HeardMessage, MOST_WAITING } from './listener.js';

/** Events of all clients that are read for one listener, at most. */
const MOST_READ = 50_000;
/** Milliseconds. */
const READ_WITHIN = 10_000;
/** The processes reads for one listener after the other: what several miss at once costs no more at a time. */
const READING = 'reading';

export interface MissedMessagesParts {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly publication: SessionPublication;
}

/** What a listener has missed, from the stored events. */
export class MissedMessages {
  readonly #turns = new KeyedQueue();

  constructor(
    private readonly parts: MissedMessagesParts,
    private readonly mostRead = MOST_READ,
  ) {}

  /**
   * The messages to the client after the place, up to some moment of the call. Undefined where they cannot be told: there are too many, the store was restored from an older copy,
   * or it does not answer in time.
   */
  after(place: Place, clientId: ClientId, signal: AbortSignal): Promise<readonly HeardMessage[] | undefined> {
    return this.#turns.run(READING, async () => {
      if (signal.aborted) return undefined;
      const enough = new AbortController();
      try {
        return await this.#read(place, clientId, AbortSignal.any([signal, enough.signal, AbortSignal.timeout(READ_WITHIN)]));
      } finally {
        enough.abort();
      }
    });
  }

  async #read(after: Place, clientId: ClientId, signal: AbortSignal): Promise<readonly HeardMessage[] | undefined> {
    const { eventStore, publication } = this.parts;
    const missed: HeardMessage[] = [];
    let read = 0;
    try {
      for await (const item of eventStore.subscribe({ after, categories: publication.categories, signal, restored: 'refuse' })) {
        if (item === 'caught-up') return missed;
        if (++read > this.mostRead) return undefined;
        const heard = clientOf(item) === clientId ? await heardOf(publication, item) : undefined;
        if (heard && missed.push(heard) > MOST_WAITING) return undefined;
      }
    } catch (error) {
      if (!(error instanceof SubscriptionRefused)) throw error;
    }
    return undefined;
  }
}
