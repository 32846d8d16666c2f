import type { Place } from '../event-store.js';

/** An event that a subscription has handed over or passed. */
export interface HandedOver extends Place {
  /** How many events the subscription has handed over, up to this one. */
  readonly number: number;
}

/** Above so many remembered events, every second one of the older half is forgotten. */
const MOST = 512;

/** The events that one subscription has handed over or passed: the newest ones completely, older ones with growing gaps. */
export class HandedOverEvents {
  #events: HandedOver[] = [];

  get last(): HandedOver | undefined {
    return this.#events.at(-1);
  }

  add(event: Place): void {
    this.#note(event, (this.last?.number ?? 0) + 1);
  }

  /** An event that does not concern the subscription: nothing lies between the last one and it. */
  pass(event: Place): void {
    this.#note(event, this.last?.number ?? 0);
  }

  /**
   * Forgets the events that the store lacks, and answers how many of those handed over it lacks at most; undefined when it has the last one. A store that was restored from an older copy has the
   * events up to one of them and none after it, so a binary search finds that one.
   */
  async dropLacking(isStored: (event: HandedOver) => Promise<boolean>): Promise<number | undefined> {
    const { last } = this;
    if (!last || (await isStored(last))) return undefined;
    let [stored, lacking] = [0, this.#events.length - 1];
    while (stored < lacking) {
      const middle = Math.floor((stored + lacking) / 2);
      if (await isStored(this.#events[middle]!)) stored = middle + 1;
      else lacking = middle;
    }
    this.#events.length = stored;
    return last.number - (this.last?.number ?? 0);
  }

  #note({ position, id }: Place, number: number): void {
    this.#events.push({ position, id, number });
    if (this.#events.length > MOST) this.#events = this.#events.filter((_event, index) => index >= MOST / 2 || index % 2 === 0);
  }
}
