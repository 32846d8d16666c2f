/** How many of the items, from the first on, the store has. A copy that is older has the first ones and none after them. */
export const storedOf = async <Item>(items: readonly Item[], isStored: (item: Item) => Promise<boolean>): Promise<number> => {
  let [stored, lacking] = [0, items.length];
  while (stored < lacking) {
    const middle = Math.floor((stored + lacking) / 2);
    if (await isStored(items[middle]!)) stored = middle + 1;
    else lacking = middle;
  }
  return stored;
};
