import type { EventId } from '#kernel';

import type { Position } from '../event-store.js';

/** Which event of the store, and where it lies. */
export interface Place {
  readonly position: Position;
  readonly id: EventId;
}

/** An event that a subscription has handed over. */
export interface HandedOver extends Place {
  /** Its number among the events of the subscription, from 1. */
  readonly number: number;
}

/** Above so many remembered events, every second one of the older half is forgotten. */
const MOST = 512;

/** The events that one subscription has handed over: the newest ones completely, older ones with growing gaps. */
export class HandedOverEvents {
  #events: HandedOver[] = [];

  get last(): HandedOver | undefined {
    return this.#events.at(-1);
  }

  add({ position, id }: Place): void {
    this.#events.push({ position, id, number: (this.last?.number ?? 0) + 1 });
    if (this.#events.length > MOST) this.#events = this.#events.filter((_event, index) => index >= MOST / 2 || index % 2 === 0);
  }

  /**
   * Forgets the events that the store lacks, and answers how many it lacks at most. A store that was restored from an older copy has the
   * events up to one of them and none after it, so a binary search finds that one.
   */
  async dropLacking(isStored: (event: HandedOver) => Promise<boolean>): Promise<number> {
    const { last } = this;
    if (!last || (await isStored(last))) return 0;
    let [stored, lacking] = [0, this.#events.length - 1];
    while (stored < lacking) {
      const middle = Math.floor((stored + lacking) / 2);
      if (await isStored(this.#events[middle]!)) stored = middle + 1;
      else lacking = middle;
    }
    this.#events.length = stored;
    return last.number - (this.last?.number ?? 0);
  }
}
