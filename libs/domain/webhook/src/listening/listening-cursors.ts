import type { Place } from '#engines/event-store';
import type { ClientId, Clock, EventId, Sealer } from '#kernel';

/** Milliseconds after which a listener cannot go on any more where it was. The events of that time are read to find its own, so it is short. */
export const RESUMED_WITHIN = 300_000;

type Sealed = { readonly position: string; readonly id: string; readonly at: number };

/**
 * Where a listener was, as a text that it brings back (`Last-Event-ID`). Sealed, for one client: a place in the store tells how much all clients do, and a made-up one could stop a
 * subscription.
 */
export class ListeningCursors {
  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  of({ position, id }: Place, clientId: ClientId): string {
    return this.sealer.seal({ position: String(position), id, at: this.clock.now() } satisfies Sealed, contextOf(clientId));
  }

  /** Undefined for a text that is none of this client's, and for one that is too old. */
  placeIn(text: string, clientId: ClientId): Place | undefined {
    const sealed = this.#opened(text, clientId);
    if (!sealed || sealed.at < this.clock.now() - RESUMED_WITHIN) return undefined;
    return { position: BigInt(sealed.position), id: sealed.id as EventId };
  }

  #opened(text: string, clientId: ClientId): Sealed | undefined {
    try {
      return this.sealer.open<Sealed>(text, contextOf(clientId));
    } catch {
      return undefined;
    }
  }
}

const contextOf = (clientId: ClientId): string => `listener ${clientId}`;
