import type { StreamName } from '../event-store.js';

/** Ends a try of a work, which then begins again: with the queue of one more stream taken from the start, or on states that are read. */
export class BeginAgain extends Error {
  constructor(readonly taking?: StreamName) {
    super('the work begins again');
    this.name = 'BeginAgain';
  }
}
