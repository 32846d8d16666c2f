import { RecentlyUsed } from '#kernel';

import type { EventStore, StreamName } from '../event-store.js';
import type { Link } from './event-macs.js';

/** The end of a stream when this process last read it or appended to it. */
export interface Tail {
  readonly revision: number;
  readonly link: Link;
}

/** About 200 bytes each. */
const TAILS = 50_000;

/**
 * The ends of the streams that this process has used last. All are forgotten when the connection was interrupted: the store may be an older copy then, in which another event
 * has the revision, and an event that is linked to the lost one would make the stream refused for ever.
 */
export class StreamTails {
  readonly #tails = new RecentlyUsed<StreamName, Tail>(TAILS);
  #continuity: number;

  constructor(private readonly store: Pick<EventStore, 'continuity'>) {
    this.#continuity = store.continuity;
  }

  get(stream: StreamName): Tail | undefined {
    return this.#current.get(stream);
  }

  set(stream: StreamName, tail: Tail): void {
    this.#current.set(stream, tail);
  }

  delete(stream: StreamName): void {
    this.#tails.delete(stream);
  }

  get #current(): RecentlyUsed<StreamName, Tail> {
    const { continuity } = this.store;
    if (continuity !== this.#continuity) this.#tails.clear();
    this.#continuity = continuity;
    return this.#tails;
  }
}
