import type { EventId, Randomness } from '#kernel';
import { v5 } from 'uuid';

import type { StreamName } from './event-store.js';

/**
 * Ids for the events of one request: UUIDv5 (RFC 9562) of the stream, a random id made when the request arrives,
 * and a running number. Two requests never share an id: the store takes equal ids at an equal revision for a
 * repetition and would tell both that they won.
 */
export class EventIds {
  readonly #request: string;
  #number = 0;

  constructor(randomness: Randomness) {
    this.#request = randomness.uuid();
  }

  next(stream: StreamName): EventId {
    return v5(`${stream}/${this.#number++}`, this.#request) as EventId;
  }
}
