/** Hands over what has come, as soon as something has, and at most so much at once; takes more while that is being worked on. */
export const batchesOf = async function* <Item>(items: AsyncIterable<Item>, most: number): AsyncGenerator<readonly Item[]> {
  const waiting: Item[] = [];
  let came = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();
  let left = false;

  const collect = async (): Promise<void> => {
    for await (const item of items) {
      if (left) return;
      waiting.push(item);
      came.resolve();
      while (waiting.length >= most && !left) await taken.promise;
    }
  };
  let ended = false;
  const collected = collect().finally(() => {
    ended = true;
    came.resolve();
  });
  collected.catch(() => undefined); // told below

  try {
    while (!ended || waiting.length > 0) {
      await came.promise;
      came = Promise.withResolvers();
      if (ended) came.resolve();
      const batch = waiting.splice(0);
      taken.resolve();
      taken = Promise.withResolvers();
      if (batch.length > 0) yield batch;
    }
    await collected;
  } finally {
    left = true;
    taken.resolve();
  }
};
