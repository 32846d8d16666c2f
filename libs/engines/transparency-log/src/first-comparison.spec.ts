import {
  type EventStore,
  ForwardingEventStore,
  NO_STREAM,
  type RecordedEvent,
  SqliteEventStore,
  type StreamName,
  streamName,
} from '#engines/event-store';
import { authenticated } from '#testkit/event-store/authenticated';
import { AnchoredStore, GUARDED, HEADS, SIGNER } from '#testkit/transparency-log/anchored-store';

import { AnchoredEventStore } from './anchored-event-store.js';
import { PlaceUnavailable } from './anchor-place.js';
import { FolderPlace } from './folder-place.js';
import { HistoryGuard } from './history-guard.js';
import { KnownLeaves } from './known-leaves.js';
import { streamDigest } from './leaf.js';
import { leafHash } from './merkle-hashes.js';
import { PublishedLog } from './published-log.js';
import { HISTORY_NOTES } from './streams.js';

const [HEAD = streamName('right', '0')] = HEADS;
const OTHER = streamName('right', '1');
const signal = new AbortController().signal;

/** Counts the events that are read. */
class CountedStore extends ForwardingEventStore {
  events = 0;

  override read: EventStore['read'] = async (...given) => {
    const events = await this.store.read<never>(...given);
    this.events += events.length;
    return events;
  };
}

/** A place that answers no leaf before it is told to. Counts the files that it has answered. */
class HeldPlace extends FolderPlace {
  answered: string[] = [];
  isAway = false;
  readonly #held = Promise.withResolvers<void>();

  release(): void {
    this.#held.resolve();
  }

  override async read(path: string): Promise<Buffer | undefined> {
    if (path.startsWith('tile/')) {
      await this.#held.promise;
      if (this.isAway) throw new PlaceUnavailable('away');
    }
    this.answered.push(path);
    return super.read(path);
  }
}

describe('the first comparison of a process with the history outside of the store', () => {
  let anchored: AnchoredStore;
  let copies: EventStore[];
  let place: HeldPlace;
  let losses: string[];
  beforeEach(() => {
    anchored = new AnchoredStore();
    [copies, losses] = [[], []];
  });
  afterEach(async () => {
    for (const store of [anchored.sqlite, ...copies]) await store.close();
    anchored[Symbol.dispose]();
  });

  /** A store with so many leaves, of which a checkpoint was published. */
  const published = async (leaves: number): Promise<void> => {
    const types = (length: number): readonly string[] => Array.from({ length }, () => 'GuardedGrant');
    await anchored.append('right', '0', types(leaves / 2));
    await anchored.append('right', '1', types(3));
    await anchored.append('right', '2', types(leaves / 2 - 3));
    await anchored.writer().write(signal);
  };

  /** Another store with the events that are kept. */
  const copyOf = async (keeps: (event: RecordedEvent) => boolean): Promise<EventStore> => {
    const copy = new SqliteEventStore({ path: ':memory:', clock: anchored.clock });
    copies.push(copy);
    const ended = new AbortController();
    for await (const event of anchored.store.subscribe({ categories: [...GUARDED.categories, HISTORY_NOTES.category], signal: ended.signal })) {
      if (event === 'caught-up') break;
      const { stream, revision, type, data, id, metadata } = event;
      if (keeps(event)) await copy.append(stream, revision === 0 ? NO_STREAM : revision - 1, [{ type, data, metadata: metadata! }], { ids: [id] });
    }
    ended.abort();
    return authenticated(copy);
  };
  const cut = (stream: StreamName, end: number) => copyOf((event) => event.stream !== stream || event.revision < end);

  const begun = (store: EventStore): { readonly guard: HistoryGuard; readonly guarded: AnchoredEventStore } => {
    place = new HeldPlace('place', anchored.folders[0]!);
    const guard = new HistoryGuard({
      store,
      logs: [new PublishedLog(place, 'countersign/test', () => [SIGNER.verifier])],
      truncatedBefore: () => [],
      heads: HEADS,
      lost: ({ reason }) => losses.push(reason),
      unavailable: (name) => losses.push(name),
      pause: async () => undefined,
    });
    return { guard, guarded: new AnchoredEventStore(store, guard, new Set(GUARDED.categories)) };
  };

  it.each([1_200, 4_800])('waits for no leaf, and reads as few files and events over %d leaves as over any other number', async (leaves) => {
    await published(leaves);
    const store = new CountedStore(anchored.store);
    const { guard } = begun(store);
    await guard.look();
    expect([place.answered, store.events, guard.known.size, guard.loss]).toEqual([['checkpoint'], 3, 0, undefined]);
    place.release();
    await guard.taken();
    expect([place.answered.length, guard.known.size, guard.loss, losses]).toEqual([1 + Math.ceil(leaves / 256), leaves, undefined, []]);
  });

  it('reads the leaves itself where they are few', async () => {
    await published(1_000);
    const { guard } = begun(anchored.store);
    place.release();
    await guard.look();
    expect([guard.known.size, guard.loss]).toEqual([1_000, undefined]);
  });

  it('finds a cut end that the checkpoint names before any leaf is known, and names stream and revision', async () => {
    await published(1_200);
    const { guard, guarded } = begun(await cut(HEAD, 400));
    await guard.look();
    expect([place.answered, guard.loss?.stream, losses]).toEqual([
      ['checkpoint'],
      HEAD,
      [expect.stringMatching(/^right-0 is refused: .*, revision 599$/)],
    ]);
    await expect(guarded.read(HEAD)).rejects.toThrow('revision 599');
    place.release();
    await guard.taken();
    expect(guard.loss?.stream).toBe(HEAD);
  });

  it('compares what was read meanwhile as soon as the leaves are known, and remembers none of it as compared', async () => {
    await published(1_200);
    const { guard, guarded } = begun(await cut(OTHER, 2));
    await guard.look();
    expect(await guarded.read(OTHER)).toHaveLength(2);
    expect([guarded.recent(OTHER), guard.loss]).toEqual([undefined, undefined]);
    place.release();
    await guard.taken();
    expect([guard.loss?.stream, losses]).toEqual([OTHER, [expect.stringMatching(/^right-1 is refused: .*, revision 2$/)]]);
    await expect(guarded.read(OTHER)).rejects.toThrow('revision 2');
  });

  it('remembers a stream as compared once the leaves are known', async () => {
    await published(1_200);
    const { guard, guarded } = begun(anchored.store);
    await guard.look();
    await guarded.read(OTHER);
    expect(guarded.recent(OTHER)).toBeUndefined();
    place.release();
    await guard.taken();
    await guarded.read(OTHER);
    expect(guarded.recent(OTHER)).toHaveLength(3);
  });

  it('counts leaves that cannot be read as missing ones, until they are there', async () => {
    await published(1_200);
    const { guard } = begun(anchored.store);
    await guard.look();
    place.isAway = true;
    place.release();
    await guard.taken();
    expect([guard.known.size, guard.loss?.reason]).toEqual([0, 'away']);
    await guard.look();
    expect(guard.loss?.reason).toBe('away');
    place.isAway = false;
    await guard.look();
    expect([guard.known.size, guard.loss]).toEqual([1_200, undefined]);
  });

  it('refuses leaves that have not the root that was signed', async () => {
    await published(1_200);
    const { guard } = begun(anchored.store);
    await guard.look();
    await place.write('tile/entries/001', (await new FolderPlace('place', anchored.folders[0]!).read('tile/entries/000'))!);
    place.release();
    await guard.taken();
    expect(guard.loss?.reason).toMatch(/have not the root that was signed$/);
  });

  it('does not ask for a head whose loss was accepted', () => {
    const head = { stream: streamDigest(HEAD), index: 7, revision: 3, hash: leafHash('head') };
    for (const [lost, isAsked] of [
      [[7, 9], false],
      [[8, 9], true],
    ] as const) {
      const known = new KnownLeaves([lost]);
      known.announce([head]);
      expect([known.has(head.stream), [...known.of(head.stream)].length]).toEqual([isAsked, Number(isAsked)]);
    }
  });

  it('goes on from what the places have, whatever was read meanwhile', async () => {
    await published(1_200);
    const { guard } = begun(anchored.store);
    await guard.look();
    await anchored.append('right', '2', ['GuardedGrant']);
    await anchored.writer().write(signal);
    const next = guard.look();
    place.release();
    await next;
    expect([guard.known.size, guard.loss, losses]).toEqual([1_201, undefined, []]);
  });
});
