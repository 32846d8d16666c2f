import type { Place } from '../event-store.js';
import { storedOf } from '../marks/stored-of.js';

/** An event that a subscription has handed over or passed. */
export interface HandedOver extends Place {
  /** How many events the subscription has handed over, up to this one. */
  readonly number: number;
  /** It is a mark, which a store loses only with all that follows it. */
  readonly isMark?: true;
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
    this.#note({ position: event.position, id: event.id, number: (this.last?.number ?? 0) + 1 });
  }

  /** An event that does not concern the subscription: nothing lies between the last one and it. */
  pass(event: Place): void {
    this.#note({ position: event.position, id: event.id, number: this.last?.number ?? 0 });
  }

  /** The same for a mark. */
  passMark(mark: Place): void {
    this.#note({ position: mark.position, id: mark.id, number: this.last?.number ?? 0, isMark: true });
  }

  clear(): void {
    this.#events = [];
  }

  /** Marks before everything that was handed over. */
  precede(marks: readonly Place[]): void {
    const first = this.#events[0];
    const before = marks.filter(({ position }) => first === undefined || position < first.position);
    this.#events.unshift(...before.map(({ position, id }): HandedOver => ({ position, id, number: 0, isMark: true })));
  }

  /**
   * Forgets the events that the store lacks, and answers how many of those handed over it lacks at most; undefined when it has the last one and the last mark. A store that was restored from
   * an older copy has the events up to one of them and none after it, so a binary search finds that one: first among the marks, since an event may have been scavenged in the copy.
   */
  async dropLacking(isStored: (event: HandedOver) => Promise<boolean>): Promise<number | undefined> {
    const { last } = this;
    if (!last) return undefined;
    const marks = this.#events.flatMap(({ isMark }, index) => (isMark ? [index] : []));
    const newestMark = this.#events[marks.at(-1) ?? -1];
    const hasMark = newestMark === undefined || newestMark === last || (await isStored(newestMark));
    if (hasMark && (await isStored(last))) return undefined;
    const stored = hasMark ? marks.length : await storedOf(marks, (index) => isStored(this.#events[index]!));
    const [from, end] = [(marks[stored - 1] ?? -1) + 1, marks[stored] ?? this.#events.length - 1];
    const between = this.#events.slice(from, end);
    this.#events.length = from + (await storedOf(between, isStored));
    return last.number - (this.last?.number ?? 0);
  }

  #note(event: HandedOver): void {
    this.#events.push(event);
    if (this.#events.length > MOST) this.#events = this.#events.filter((_event, index) => index >= MOST / 2 || index % 2 === 0);
  }
}
