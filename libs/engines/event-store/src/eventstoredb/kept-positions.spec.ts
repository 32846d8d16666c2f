import { contractFixture, event } from '#testkit/event-store/contract/fixture';
import { keptPositionsContract } from '#testkit/event-store/contract/kept-positions';
import { NO_STREAM, type SubscribeOptions, SubscriptionRefused } from '../event-store.js';
import {
  alarms,
  category,
  collected,
  fetched,
  open,
  store,
  stream,
  useTestServer,
} from '#testkit/event-store/eventstoredb/event-store-on-test-server';
import { DIALECTS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';

describe.each(DIALECTS)('a subscription after a kept position, on a server of %s', (dialect) => {
  useTestServer(dialect);

  describe('as with every adapter', () => {
    keptPositionsContract(
      contractFixture({ open: async () => open(), hasTransactions: undefined, passTime: () => Promise.reject(new Error('no test lets time pass')) }),
    );
  });

  it('stops with an alarm when the store does not know its position, and the store is not ready any more', async () => {
    const own = category();
    await store.append(stream(own), NO_STREAM, [event(), event()]);
    const [first] = await fetched(own, 2);
    const subscription = store.subscribe({ categories: [own], after: first!.position + 1n, signal: new AbortController().signal });
    const refusal = await collected(subscription).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SubscriptionRefused);
    expect(refusal).toMatchObject({ reason: 'position', message: expect.stringContaining('Restore the copy that belongs to the position') });
    expect(alarms).toEqual([(refusal as Error).message]);
    await expect(store.check()).rejects.toMatchObject({ reason: (refusal as Error).message });
    expect(await store.append(stream(own), NO_STREAM, [event()])).toMatchObject({ revision: 0 });
  });

  it('stops with an alarm beyond the end, or begins anew with one, as its consumer has chosen', async () => {
    const own = category();
    await store.append(stream(own), NO_STREAM, [event(), event()]);
    const [, last] = await fetched(own, 2);
    const begin = (restored: SubscribeOptions['restored'] & {}) =>
      collected(store.subscribe({ categories: [own], after: last!.position + 1_000_000_000n, restored, signal: new AbortController().signal }), 2);
    await expect(begin('resume')).rejects.toMatchObject({ reason: 'position' });
    expect(alarms).toEqual([expect.stringContaining('Restore the copy that belongs to the position')]);
    expect(await begin('begin-anew')).toHaveLength(2);
    expect(alarms).toEqual([expect.anything(), expect.stringContaining('The subscription begins anew')]);
    await store.check();
  });

  it('ends before it hands over anything, for a consumer that asked for it, when the store lacks the event to begin after', async () => {
    const own = category();
    await store.append(stream(own), NO_STREAM, [event(), event()]);
    const [first, last] = await fetched(own, 2);
    const begin = (after: SubscribeOptions['after'] & {}): Promise<unknown> =>
      collected(store.subscribe({ categories: [own], after, restored: 'refuse', signal: new AbortController().signal }), 1).catch(
        (error: unknown) => error,
      );
    for (const lacking of [
      { position: first!.position, id: last!.id },
      { position: first!.position + 1n, id: first!.id },
      { position: last!.position + 1_000_000_000n, id: last!.id },
      last!.position + 1_000_000_000n,
      first!.position + 1n,
    ]) {
      const refusal = await begin(lacking);
      expect(refusal).toBeInstanceOf(SubscriptionRefused);
      expect(refusal).toMatchObject({ reason: 'restored' });
    }
    expect(await begin(first!)).toMatchObject([{ id: last!.id }]);
    expect(alarms).toEqual([]);
    await store.check();
  });
});
