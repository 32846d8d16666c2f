import { type EventStore, type Place, type RecordedEvent, SubscriptionRefused } from '#engines/event-store';
import { RateLimited } from '#engines/rate-limit';
import { type ClientId, ServiceUnavailable, WakeUps, within } from '#kernel';
import type { SessionPublication } from '#domain/session';

import { clientOf, heardOf } from './heard-of.js';
import { Listener } from './listener.js';

/** Listeners of one client, and of all clients, at one process. */
export const MOST_OF_CLIENT = 5;
export const MOST_OF_ALL = 200;
/** Seconds. A listener that has ended unnoticed is noticed by then. */
const RETRY_AFTER = 15;
/** Milliseconds that a new listener waits for the store. */
const LIVE_WITHIN = 5_000;

interface Following {
  readonly leave: AbortController;
  /** Resolves when no event is missed any more. */
  readonly live: Promise<void>;
}

export interface SessionFeedParts {
  readonly eventStore: Pick<EventStore, 'subscribe'>;
  readonly publication: SessionPublication;
  /** Ends all listeners. */
  readonly stopping: AbortSignal;
  /** Told of an error that has ended the subscription, and with it all listeners. */
  readonly report: (error: unknown) => void;
}

/**
 * The events of all sessions, handed to the listeners of their clients. The process follows the store by one subscription while it has a listener, and by none otherwise
 * (docs/adr/0158-listeners-of-a-client.md).
 */
export class SessionFeed {
  readonly #wakeUps = new WakeUps();
  readonly #listeners = new Map<string, Set<Listener>>();
  #count = 0;
  #made = 0;
  #following: Following | undefined;
  #reached: Place | undefined;

  constructor(private readonly parts: SessionFeedParts) {}

  /** How many listeners there are. */
  get count(): number {
    return this.#count;
  }

  /** The last event that all listeners have been handed, or that concerned none. Undefined before the first one. */
  get reached(): Place | undefined {
    return this.#reached;
  }

  /** Throws RateLimited when the client, or the process, has enough of them. The caller has to end the listener. */
  join(clientId: ClientId): Listener {
    const own = this.#listeners.get(clientId) ?? new Set();
    if (own.size >= MOST_OF_CLIENT) throw new RateLimited('the client has too many listeners', MOST_OF_CLIENT, RETRY_AFTER);
    if (this.#count >= MOST_OF_ALL) throw new RateLimited('the process has too many listeners', MOST_OF_ALL, RETRY_AFTER);
    const key = `${this.#made++}`;
    const listener = new Listener({
      watch: this.#wakeUps.watch(key),
      wake: () => this.#wakeUps.wake(key),
      left: (one) => this.#leave(clientId, one),
    });
    this.#listeners.set(clientId, own.add(listener));
    this.#count += 1;
    this.#following ??= this.#follow();
    return listener;
  }

  /** Resolves when no event is missed from now on. Throws ServiceUnavailable while the store cannot be followed. */
  async live(): Promise<void> {
    try {
      await within(LIVE_WITHIN, this.#following?.live ?? Promise.reject(new Error('nobody listens')));
    } catch {
      throw new ServiceUnavailable('the events of sessions cannot be followed');
    }
  }

  #leave(clientId: ClientId, listener: Listener): void {
    const own = this.#listeners.get(clientId);
    if (!own?.delete(listener)) return;
    this.#count -= 1;
    if (own.size === 0) this.#listeners.delete(clientId);
    if (this.#count === 0) this.#end();
  }

  #end(): void {
    this.#following?.leave.abort();
    this.#following = undefined;
    this.#reached = undefined;
  }

  #follow(): Following {
    const leave = new AbortController();
    const live = Promise.withResolvers<void>();
    live.promise.catch(() => undefined);
    void this.#run(AbortSignal.any([leave.signal, this.parts.stopping]), () => live.resolve())
      .catch((error: unknown) => this.parts.report(error))
      .finally(() => {
        live.reject(new Error('the subscription has ended'));
        // Without a subscription nobody hears anything: the listeners come back, and begin another one.
        if (this.#following?.leave === leave) for (const own of [...this.#listeners.values()]) for (const listener of [...own]) listener.end();
      });
    return { leave, live: live.promise };
  }

  async #run(signal: AbortSignal, live: () => void): Promise<void> {
    const { eventStore, publication } = this.parts;
    const reached = (place: Place): void => {
      if (!signal.aborted) this.#reached = place;
    };
    try {
      const { categories } = publication;
      for await (const item of eventStore.subscribe({ after: 'end', categories, signal, restored: 'refuse', reached })) {
        if (signal.aborted) return;
        if (item === 'caught-up') live();
        else await this.#hand(item, reached);
      }
    } catch (error) {
      if (!(error instanceof SubscriptionRefused)) throw error;
    }
  }

  async #hand(event: RecordedEvent, reached: (place: Place) => void): Promise<void> {
    const clientId = clientOf(event);
    if (clientId !== undefined && this.#listeners.has(clientId)) {
      const heard = await heardOf(this.parts.publication, event);
      if (heard) for (const listener of [...(this.#listeners.get(clientId) ?? [])]) listener.hear(heard);
    }
    reached({ position: event.position, id: event.id });
  }
}
