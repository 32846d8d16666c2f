/** Does the work for each item, at most `limit` at once. After a failure it begins with no further item, and rejects with the first failure. */
export const inParallel = async <Item>(items: Iterable<Item>, limit: number, work: (item: Item) => Promise<unknown>): Promise<void> => {
  const waiting = items[Symbol.iterator]();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !failed && !next.done; next = waiting.next()) {
      await work(next.value).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: limit }, worker));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure) throw (failure as PromiseRejectedResult).reason;
};
