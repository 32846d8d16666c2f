import { v5 } from 'uuid';

import type { Place } from '#engines/event-store';
import type { RateLimits } from '#engines/rate-limit';
import type { ClientId, Clock } from '#kernel';

import { bodyOf } from '../domain/message-body.js';
import type { HeardMessage, Listener } from '../listening/listener.js';
import type { ListeningCursors } from '../listening/listening-cursors.js';
import type { MissedMessages } from '../listening/missed-messages.js';
import type { SessionFeed } from '../listening/session-feed.js';

/** What the connection of a listener carries. `cursor`: where the listener is after the item; undefined before the first event that the process has seen. */
export type ListenerItem =
  | { readonly kind: 'message'; readonly id: string; readonly type: string; readonly body: string; readonly cursor: string }
  /** All events from now on follow. `resumed`: whether all that was missed came before; false as well for a listener that was nowhere. */
  | { readonly kind: 'listening'; readonly resumed: boolean; readonly cursor?: string | undefined }
  /** Nothing has happened. */
  | { readonly kind: 'idle'; readonly cursor?: string | undefined };

export interface ListenRequest {
  readonly clientId: ClientId;
  /** The types that it wants to hear of. */
  readonly types: ReadonlySet<string>;
  /** The last cursor that it got. */
  readonly cursor: string | undefined;
  /** Aborted when the connection is closed, or the service stops. */
  readonly signal: AbortSignal;
}

/** Connections of one client that begin, over all replicas. */
const BEGINNINGS = { name: 'listeners', times: 30, seconds: 60 } as const;

/** Milliseconds. */
export interface ListenTimes {
  /** From one item to the next, at most. */
  readonly idle: number;
  /** After which a connection ends, and has to authenticate anew. */
  readonly life: number;
}

export const LISTEN_TIMES: ListenTimes = { idle: 15_000, life: 3_600_000 };

export interface ListenParts {
  readonly feed: SessionFeed;
  readonly missed: MissedMessages;
  readonly cursors: ListeningCursors;
  readonly rateLimits: Pick<RateLimits, 'take'>;
  readonly clock: Clock;
  readonly times?: ListenTimes;
}

/** The messages about the sessions of one client, as they happen, over one connection (specification/relying-party.md#get-events). */
export class ListenToSessions {
  constructor(private readonly parts: ListenParts) {}

  /**
   * Ends by the signal, after an hour, and when the listener reads too slowly; it may then begin again with its last cursor. The same message may come again, with the same id.
   * Throws RateLimited, ServiceUnavailable and EventStoreUnavailable before the first item.
   */
  async *execute(request: ListenRequest): AsyncGenerator<ListenerItem, void, void> {
    const { feed, missed, cursors, rateLimits } = this.parts;
    const { clientId, cursor, signal } = request;
    await rateLimits.take(BEGINNINGS, clientId, 'the client begins to listen too often');
    const place = cursor === undefined ? undefined : cursors.placeIn(cursor, clientId);
    const listener = feed.join(clientId);
    try {
      await feed.live();
      const found = place && (await missed.after(place, clientId, signal));
      for (const heard of found ?? []) if (request.types.has(heard.message.type)) yield this.#said(heard, clientId);
      yield* this.#live(listener, request, { resumed: found !== undefined, last: found?.at(-1)?.place ?? (found && place) });
    } finally {
      listener.end();
    }
  }

  async *#live(
    listener: Listener,
    { clientId, types, signal }: ListenRequest,
    { resumed, last }: { readonly resumed: boolean; readonly last: Place | undefined },
  ): AsyncGenerator<ListenerItem, void, void> {
    const { clock, times: { idle, life } = LISTEN_TIMES } = this.parts;
    const until = clock.monotonic() + life;
    const isNew = ({ place }: HeardMessage): boolean => last === undefined || place.position > last.position;
    yield { kind: 'listening', resumed, cursor: this.#cursorNow(listener, clientId, last) };
    while (!signal.aborted && !listener.isOver && clock.monotonic() < until) {
      const heard = listener.take();
      if (heard) {
        if (isNew(heard) && types.has(heard.message.type)) yield this.#said(heard, clientId);
        continue;
      }
      await listener.wait(idle, signal);
      if (!listener.isEmpty || listener.isOver || signal.aborted) continue;
      yield { kind: 'idle', cursor: this.#cursorNow(listener, clientId, last) };
    }
  }

  #said({ eventId, message, place }: HeardMessage, clientId: ClientId): ListenerItem {
    return { kind: 'message', id: v5(eventId, clientId), type: message.type, body: bodyOf(message), cursor: this.parts.cursors.of(place, clientId) };
  }

  /** Where the listener is now. `last`: up to where it had missed something; the feed may not be as far yet. */
  #cursorNow(listener: Listener, clientId: ClientId, last: Place | undefined): string | undefined {
    const { feed, cursors } = this.parts;
    const reached = listener.isEmpty ? feed.reached : undefined;
    const place = reached && last && reached.position < last.position ? last : (reached ?? last);
    return place && cursors.of(place, clientId);
  }
}
