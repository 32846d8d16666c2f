import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type EventStore, type NewEvent, NO_STREAM, type RecordedEvent, type StreamName, StreamRefused } from '#engines/event-store';
import { HistoryPass } from '#engines/transparency-log';
import { FixedClock, type KeyRing, Secret, StaticKeyRing } from '#kernel';
import { Log, Metrics } from '#telemetry';
import { UNLIKE_STORES } from '#testkit/event-store/store-engines';

import { authenticate } from './authenticate.js';
import { openCheckpointWriter } from './open-checkpoints.js';
import { type GuardedHistory, openHistoryGuard } from './open-history-guard.js';
import type { Platform } from './platform.js';
import { GUARDED_EVENTS, STREAMS } from './streams.js';

const ring = (id: string): KeyRing => new StaticKeyRing([{ id, key: new Secret(Buffer.alloc(32, id)) }]);
const signal = new AbortController().signal;

/** A log that keeps the reasons of its errors. */
class KeptReasons extends Log {
  readonly reasons: string[] = [];

  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(_message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.reasons.push(String(fields?.['reason']));
  }
}

/** For each guarded type of event a stream with two of them. */
const GUARDED_TYPES = STREAMS.flatMap((streams) => streams.terms.guarded.map((type) => ({ type, stream: streams.of(`of-${type}`), streams })));

describe.each(UNLIKE_STORES)('a store from which guarded events were removed, over $engine', ({ open }) => {
  let directory: string;
  let raw: EventStore;
  let clock: FixedClock;
  let log: KeptReasons;
  const stores: EventStore[] = [];

  const opened = async (): Promise<EventStore> => {
    const store = await open(clock);
    stores.push(store);
    return store;
  };
  const partsOver = (store: EventStore): Platform =>
    ({
      settings: { environment: 'test', anchorDirectory: directory },
      keys: { checkpoint: ring('checkpoint') },
      eventStore: authenticate(store, { environment: 'test', eventKeys: ring('event'), log, metrics: new Metrics() }),
      clock,
      log,
      metrics: new Metrics(),
      useCases: { administration: () => ({ securityLines: async () => [] }) },
    }) as unknown as Platform;
  /** A process that begins over the store. */
  const begun = async (store: EventStore): Promise<GuardedHistory> => {
    const history = openHistoryGuard({ ...partsOver(store), pause: async () => undefined })!;
    await history.guard.look();
    return history;
  };
  const append = async (
    store: EventStore,
    stream: StreamName,
    types: readonly string[],
    from: number | typeof NO_STREAM = NO_STREAM,
  ): Promise<void> => {
    const events = types.map((type): NewEvent => ({ type, data: { at: clock.now() } }));
    await partsOver(store).eventStore.append(stream, from, events);
  };
  const checkpoint = (store = raw): Promise<void> => openCheckpointWriter(partsOver(store))!.write(signal);
  /** Another store with these events of the first one. */
  const copyOf = async (keeps: (event: RecordedEvent) => boolean): Promise<EventStore> => {
    const copy = await opened();
    const ended = new AbortController();
    for await (const item of raw.subscribe({ categories: STREAMS.map(({ category }) => category), signal: ended.signal })) {
      if (item === 'caught-up') break;
      if (!keeps(item)) continue;
      const { stream, revision, type, data, id, metadata } = item;
      await copy.append(stream, revision === 0 ? NO_STREAM : revision - 1, [{ type, data, metadata: metadata! }], { ids: [id] });
    }
    ended.abort();
    return copy;
  };
  const passOver = async ({ guard, eventStore: store }: GuardedHistory): Promise<number> => {
    let compared = 0;
    const pass = new HistoryPass({ store, guard, guarded: GUARDED_EVENTS, passed: (leaves) => (compared = leaves), pause: async () => undefined });
    await pass.run(signal);
    return compared;
  };
  /** Which of the guarded streams are refused when they are read. */
  const refusedIn = async ({ eventStore }: GuardedHistory): Promise<readonly StreamName[]> => {
    const refused: StreamName[] = [];
    for (const { stream } of GUARDED_TYPES) {
      await eventStore.read(stream).catch((error: unknown) => {
        expect(error).toBeInstanceOf(StreamRefused);
        expect((error as StreamRefused).stream).toBe(stream);
        refused.push(stream);
      });
    }
    return refused;
  };
  const ALL = GUARDED_TYPES.map(({ stream }) => stream);

  beforeEach(async () => {
    [clock, log] = [new FixedClock(), new KeptReasons()];
    directory = await mkdtemp(join(tmpdir(), 'anchor-'));
    raw = await opened();
    for (const { stream, type } of GUARDED_TYPES) await append(raw, stream, [type, type]);
    await checkpoint();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await rm(directory, { recursive: true });
  });

  it('is told from one that has all of them', async () => {
    const whole = await begun(await copyOf(() => true));
    expect(await passOver(whole)).toBe(2 * ALL.length);
    expect([whole.guard.loss, await refusedIn(whole), log.reasons]).toEqual([undefined, [], []]);
  });

  it('is refused stream by stream where the last event is missing, and the alarm names stream and revision', async () => {
    const cut = await begun(await copyOf(({ stream, revision }) => stream.startsWith('history-') || revision === 0));
    expect(await refusedIn(cut)).toEqual(ALL);
    for (const stream of ALL) expect(log.reasons).toContainEqual(expect.stringMatching(new RegExp(`${stream} is refused: .*, revision 1$`)));
    expect(cut.guard.loss?.stream).toBeDefined();
  });

  it('is refused where whole streams are missing, which the pass finds without their names', async () => {
    const without = await begun(await copyOf(({ stream }) => !ALL.includes(stream)));
    await passOver(without);
    expect(log.reasons).toContainEqual(expect.stringMatching(/^whole streams are missing: .* and \d+ more$/));
    expect(without.guard.loss).toBeDefined();
    expect(await refusedIn(without)).toEqual(ALL);
    for (const stream of ALL) expect(log.reasons).toContainEqual(expect.stringContaining(`${stream} is refused`));
  });

  it('is refused where the service has stored another event in the place of a removed one', async () => {
    const cut = await copyOf(({ stream, revision }) => stream.startsWith('history-') || revision === 0);
    clock.advance(1);
    for (const { stream, type } of GUARDED_TYPES) await append(cut, stream, [type, type], 0);
    expect(await refusedIn(await begun(cut))).toEqual(ALL);
  });

  it('is refused as an older copy at the start, also where it has all streams', async () => {
    const older = await copyOf(() => true);
    await append(raw, ALL[0]!, [GUARDED_TYPES[0]!.type], 1);
    await checkpoint();
    const { guard } = await begun(older);
    expect(guard.loss?.reason).toMatch(/the store is an older copy$/);
    // The checkpoint that the older copy would make is not published.
    await checkpoint(older);
    expect((await begun(raw)).guard.loss).toBeUndefined();
  });

  it('is refused where another party has tombstoned the streams, and not where the service has', async () => {
    const lost = GUARDED_TYPES.filter(({ streams }) => streams.terms.retention?.tombstoned !== undefined);
    expect(lost.length).toBeGreaterThan(3);
    for (const { stream, streams } of lost) await streams.tombstone(partsOver(raw).eventStore, stream);
    const erased = await begun(raw);
    await passOver(erased);
    expect([erased.guard.loss, await refusedIn(erased), log.reasons]).toEqual([undefined, [], []]);
    const others = ALL.filter((stream) => !lost.some((one) => one.stream === stream));
    for (const stream of others) await raw.tombstone(stream);
    const attacked = await begun(raw);
    expect(await refusedIn(attacked)).toEqual(others);
  });

  it('is refused where another party has truncated the streams', async () => {
    for (const stream of ALL) await raw.truncateBefore(stream, 1);
    expect(await refusedIn(await begun(raw))).toEqual(ALL);
  });

  it('is not refused where a phone has taken up its state in one event and was truncated before it', async () => {
    const phone = GUARDED_TYPES.find(({ type }) => type === 'DeviceEnrolled')!;
    await append(raw, phone.stream, ['DeviceCompacted', 'PinAccepted'], 1);
    await phone.streams.truncateBefore(partsOver(raw).eventStore, phone.stream, 2);
    const history = await begun(raw);
    await passOver(history);
    expect([history.guard.loss, await refusedIn(history)]).toEqual([undefined, []]);
  });

  it('goes on for all streams but those concerned, and altogether when the events are back', async () => {
    const [victim] = ALL;
    const cut = await copyOf(({ stream, revision }) => stream !== victim || revision === 0);
    const history = await begun(cut);
    expect(await refusedIn(history)).toEqual([victim]);
    expect(history.guard.loss?.stream).toBe(victim);
    const [, removed] = await raw.read(victim!);
    await cut.append(victim!, 0, [{ type: removed!.type, data: removed!.data, metadata: removed!.metadata! }], { ids: [removed!.id] });
    await history.guard.look();
    expect([history.guard.loss, await refusedIn(history)]).toEqual([undefined, []]);
  });

  it('is refused while no place answers that the store knows, and not by a process that has compared before', async () => {
    const running = await begun(raw);
    const kept = directory;
    directory = join(kept, 'away');
    const starting = await begun(raw);
    expect(starting.guard.loss?.reason).toContain('no place of checkpoints answers');
    directory = kept;
    await running.guard.look();
    expect(running.guard.loss).toBeUndefined();
    expect((await begun(await opened())).guard.loss?.reason).toMatch(/it was emptied/);
  });
});
