/** How many of the items, from the first on, the store has. A copy that is older has the first ones and none after them. */
export const storedOf = <Item>(items: readonly Item[], isStored: (item: Item) => Promise<boolean>): Promise<number> =>
  firstWithout(items.length, (index) => isStored(items[index]!));

/** The first number from 0 on that does not pass the test, where all that come after it do not pass it either; `end` if all before it pass. */
export const firstWithout = async (end: number, passes: (number: number) => Promise<boolean>): Promise<number> => {
  let [passed, failed] = [0, end];
  while (passed < failed) {
    const middle = Math.floor((passed + failed) / 2);
    if (await passes(middle)) passed = middle + 1;
    else failed = middle;
  }
  return passed;
};
