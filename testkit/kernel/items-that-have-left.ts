import { getHeapSpaceStatistics } from 'node:v8';

import { UnderWay } from '#kernel';

/**
 * Prints, as JSON, the bytes by which the old objects have grown while items came and went in {@link UnderWay}, and in a Set: items that have left, since none stays for two collections of young objects.
 * To be run with `--expose-gc`, and with a heap that needs no collection of old objects meanwhile.
 */
const UNDER_WAY = 64;
const BETWEEN_COLLECTIONS = 1_000;
const COLLECTIONS = 40;

interface Item {
  readonly payload: readonly number[];
}

/** Takes in an item. The answer lets it leave. */
type Add = (item: Item) => () => void;

const collectYoung = (): void => (globalThis.gc as (options: { readonly type: 'minor' }) => void)({ type: 'minor' });

const oldBytes = (): number => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? NaN;

const comeAndGo = (add: Add): void => {
  const leave: (() => void)[] = [];
  for (let collection = 0; collection < COLLECTIONS; collection += 1) {
    for (let item = 0; item < BETWEEN_COLLECTIONS; item += 1) {
      leave.push(add({ payload: Array.from({ length: 20 }, () => item) }));
      if (leave.length > UNDER_WAY) leave.shift()?.();
    }
    collectYoung();
  }
};

const growth = (add: Add): number => {
  // Compiled, and with its own tables among the old objects.
  comeAndGo(add);
  const before = oldBytes();
  comeAndGo(add);
  return oldBytes() - before;
};

const underWay = new UnderWay<Item>();
const set = new Set<Item>();
const addToSet = (item: Item): (() => void) => {
  set.add(item);
  return () => set.delete(item);
};
process.stdout.write(JSON.stringify({ underWay: growth((item) => underWay.add(item)), set: growth(addToSet) }));
