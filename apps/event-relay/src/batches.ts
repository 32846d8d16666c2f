/** Yields the items that have arrived as one batch of at most `size`, without waiting for more. Reads ahead while a batch is processed. */
export const batchesOf = async function* <Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[]> {
  const waiting: Item[] = [];
  let arrived = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();
  let closed = false;

  const collect = async (): Promise<void> => {
    for await (const item of items) {
      if (closed) return;
      waiting.push(item);
      arrived.resolve();
      while (waiting.length >= size && !closed) await taken.promise;
    }
  };
  let ended = false;
  const collected = collect().finally(() => {
    ended = true;
    arrived.resolve();
  });
  collected.catch(() => undefined); // `await collected` below throws it

  try {
    while (!ended || waiting.length > 0) {
      await arrived.promise;
      arrived = Promise.withResolvers();
      if (ended) arrived.resolve();
      const batch = waiting.splice(0);
      taken.resolve();
      taken = Promise.withResolvers();
      if (batch.length > 0) yield batch;
    }
    await collected;
  } finally {
    closed = true;
    taken.resolve();
  }
};
