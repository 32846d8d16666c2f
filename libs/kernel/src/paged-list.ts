import { InvalidRequest } from './domain-error.js';

export interface PageRequest<Id extends string> {
  /** At least 1. */
  readonly limit: number;
  /** The last id of the page before. */
  readonly after?: Id | undefined;
}

export interface Page<Entry, Id extends string> {
  readonly entries: readonly Entry[];
  /** The `after` of the next page; absent on the last page. */
  readonly next?: Id;
}

/** A list in memory, in the order of arrival. A removed entry keeps its place, so that a cursor stays good. */
export class PagedList<Id extends string, Entry> {
  readonly #order: Id[] = [];
  readonly #places = new Map<Id, number>();
  readonly #entries = new Map<Id, Entry>();

  get(id: Id): Entry | undefined {
    return this.#entries.get(id);
  }

  set(id: Id, entry: Entry): void {
    if (!this.#places.has(id)) this.#places.set(id, this.#order.push(id) - 1);
    this.#entries.set(id, entry);
  }

  remove(id: Id): void {
    this.#entries.delete(id);
  }

  /** Throws {@link InvalidRequest} for a cursor that was never on the list. */
  page({ limit, after }: PageRequest<Id>): Page<Entry, Id> {
    const entries: Entry[] = [];
    let last: Id | undefined;
    for (let place = this.#begin(after); place < this.#order.length; place++) {
      const id = this.#order[place] as Id;
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      if (entries.length === limit) return last === undefined ? { entries } : { entries, next: last };
      entries.push(entry);
      last = id;
    }
    return { entries };
  }

  #begin(after: Id | undefined): number {
    if (after === undefined) return 0;
    const place = this.#places.get(after);
    if (place === undefined) throw new InvalidRequest('`after` is no id of this list.');
    return place + 1;
  }
}
