/**
 * Items that come and go all the time, each in a place that the next one uses again. A Set or a Map of such items would keep the ones that it has lost: each time that V8 makes a new table for it,
 * the old one still leads to its items and to the new table, and all of them wait for the collection of old objects (docs/adr/0164-nothing-of-a-request-among-old-objects.md).
 */
export class UnderWay<Item extends object> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];

  /** Takes in an item that is not in. The answer lets it leave, and does nothing once it has left. */
  add(item: Item): () => void {
    const place = this.#free.pop() ?? this.#items.length;
    this.#items[place] = item;
    return () => this.#empty(place, item);
  }

  /** Lets an item leave whose answer of {@link add} is not at hand. Looks at every place. */
  remove(item: Item): void {
    this.#empty(this.#items.indexOf(item), item);
  }

  /** Those that are in now, in no order. */
  all(): readonly Item[] {
    return this.#items.filter((item) => item !== undefined);
  }

  #empty(place: number, item: Item): void {
    if (this.#items[place] !== item) return;
    this.#items[place] = undefined;
    this.#free.push(place);
  }
}
