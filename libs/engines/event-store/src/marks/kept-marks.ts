import type { Place, Position } from '../event-store.js';
import { storedOf } from './stored-of.js';

/** Above so many, every second one of the older half is forgotten: the oldest stays. */
const MOST = 128;

/** The marks that a process knows: the newest ones completely, older ones at growing distances. */
export class KeptMarks {
  /** In order. */
  #marks: readonly Place[] = [];

  /** Marks of the past, in order. Those that are not older than the known ones change nothing. */
  seed(past: readonly Place[]): void {
    const [first] = this.#marks;
    const before = past.filter(({ position }) => first === undefined || position < first.position);
    this.#marks = [...before.map(placeOf), ...this.#marks];
  }

  /** One that is not newer than those known changes nothing. */
  add(mark: Place): void {
    const newest = this.#marks.at(-1);
    if (newest && newest.position >= mark.position) return;
    const marks = [...this.#marks, placeOf(mark)];
    this.#marks = marks.length > MOST ? marks.filter((_mark, index) => index >= MOST / 2 || index % 2 === 0) : marks;
  }

  /** Forgets the marks that the store lacks, and answers whether there were any. */
  async dropLacking(isStored: (mark: Place) => Promise<boolean>): Promise<boolean> {
    const marks = this.#marks;
    const newest = marks.at(-1);
    if (!newest || (await isStored(newest))) return false;
    const last = marks[(await storedOf(marks, isStored)) - 1];
    // Others may have been noted meanwhile.
    this.#marks = this.#marks.filter(({ position }) => last !== undefined && position <= last.position);
    return true;
  }

  /** At growing distances before the position, in order. */
  upTo(position: Position): readonly Place[] {
    const before = this.#marks.filter((mark) => mark.position <= position);
    const distances = new Set([0, ...doubling(before.length - 1), before.length - 1]);
    return before.filter((_mark, index) => distances.has(before.length - 1 - index));
  }
}

/** Of an event, without what else it holds. */
const placeOf = ({ position, id }: Place): Place => ({ position, id });

/** 1, 2, 4 and so on, up to the number. */
const doubling = (most: number): readonly number[] => {
  const numbers: number[] = [];
  for (let number = 1; number <= most; number *= 2) numbers.push(number);
  return numbers;
};

/** The revisions at which to look for marks of the past, in order: at distances that double. */
export const revisionsBefore = (revision: number): readonly number[] =>
  doubling(revision)
    .map((distance) => revision - distance)
    .toReversed();
