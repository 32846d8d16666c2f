import { type EventStore, ForwardingEventStore, NO_STREAM, streamName } from '#engines/event-store';
import { AnchoredStore, GUARDED, SIGNER } from '#testkit/transparency-log/anchored-store';

import { AnchoredEventStore } from './anchored-event-store.js';
import { FolderPlace } from './folder-place.js';
import { HistoryGuard } from './history-guard.js';
import { PublishedLog } from './published-log.js';

/** Counts the calls of a store. */
class CountedStore extends ForwardingEventStore {
  calls = 0;

  override read: EventStore['read'] = (...given) => ((this.calls += 1), this.store.read(...given));
  override append: EventStore['append'] = (...given) => ((this.calls += 1), this.store.append(...given));
}

/** Counts the files that are read. */
class CountedPlace extends FolderPlace {
  reads = 0;

  override read(path: string): Promise<Buffer | undefined> {
    this.reads += 1;
    return super.read(path);
  }
}

const STREAM = streamName('right', '0');

describe('the comparison with the history outside of the store', () => {
  let anchored: AnchoredStore;
  let store: CountedStore;
  let place: CountedPlace;
  let guard: HistoryGuard;
  afterEach(() => anchored[Symbol.dispose]());

  /** A process that has compared once, over a store with so many leaves. */
  const compared = async (leaves: number): Promise<void> => {
    anchored = new AnchoredStore();
    for (let index = 0; index < leaves / 5; index++)
      await anchored.append(
        'right',
        `${index}`,
        Array.from({ length: 5 }, () => 'GuardedGrant'),
      );
    await anchored.writer().write(new AbortController().signal);
    store = new CountedStore(anchored.store);
    place = new CountedPlace('place', anchored.folders[0]!);
    guard = new HistoryGuard({
      store,
      logs: [new PublishedLog(place, 'countersign/test', () => [SIGNER.verifier])],
      truncatedBefore: () => [],
      heads: [STREAM],
      lost: ({ reason }) => {
        throw new Error(reason);
      },
      unavailable: () => undefined,
    });
    await guard.look();
    await guard.taken();
    expect([guard.known.size, guard.loss]).toEqual([leaves, undefined]);
    [store.calls, place.reads] = [0, 0];
  };

  it.each([10, 2_000])('reads each minute two files and four streams, also over %d leaves', async (leaves) => {
    await compared(leaves);
    await guard.look();
    expect([store.calls, place.reads]).toEqual([4, 2]);
  });

  it('costs a guarded append and the load of a guarded stream no further call', async () => {
    await compared(10);
    const guarded = new AnchoredEventStore(store, guard, new Set(GUARDED.categories));
    await guarded.append(streamName('right', 'new'), NO_STREAM, [{ type: 'GuardedGrant', data: {} }]);
    expect([store.calls, place.reads]).toEqual([1, 0]);
    expect(await guarded.read(STREAM)).toHaveLength(5);
    expect([store.calls, place.reads]).toEqual([2, 0]);
  });
});
