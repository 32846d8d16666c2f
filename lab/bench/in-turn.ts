/** Makes so many things, one after the other. `make` gets the number of each, from 0. */
export const inTurn = async <T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  while (made.length < count) made.push(await make(made.length));
  return made;
};
