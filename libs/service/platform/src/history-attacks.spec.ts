import { join } from 'node:path';

import { UNLIKE_STORES } from '#testkit/event-store/store-engines';
import { GUARDED_STREAMS, GUARDED_TYPES, GuardedHistory } from '#testkit/platform/guarded-history';

describe.each(UNLIKE_STORES)('a store from which guarded events were removed, over $engine', (engine) => {
  let history: GuardedHistory;
  beforeEach(async () => {
    history = await GuardedHistory.open(engine);
    for (const { stream, type } of GUARDED_TYPES) await history.append(history.raw, stream, [type, type]);
    await history.checkpoint();
  });
  afterEach(() => history[Symbol.asyncDispose]());

  it('is told from one that has all of them', async () => {
    const whole = await history.begun(await history.copyOf(() => true));
    expect(await history.passOver(whole)).toBe(2 * GUARDED_STREAMS.length);
    expect([whole.guard.loss, await history.refusedIn(whole), history.log.reasons]).toEqual([undefined, [], []]);
  });

  it('is refused stream by stream where the last event is missing, and the alarm names stream and revision', async () => {
    const cut = await history.begun(await history.copyOf(({ stream, revision }) => stream.startsWith('history-') || revision === 0));
    expect(await history.refusedIn(cut)).toEqual(GUARDED_STREAMS);
    for (const stream of GUARDED_STREAMS)
      expect(history.log.reasons).toContainEqual(expect.stringMatching(new RegExp(`${stream} is refused: .*, revision 1$`)));
    expect(cut.guard.loss?.stream).toBeDefined();
  });

  it('is refused where whole streams are missing, which the pass finds without their names', async () => {
    const without = await history.begun(await history.copyOf(({ stream }) => !GUARDED_STREAMS.includes(stream)));
    await history.passOver(without);
    expect(history.log.reasons).toContainEqual(expect.stringMatching(/^whole streams are missing: .* and \d+ more$/));
    expect(without.guard.loss).toBeDefined();
    expect(await history.refusedIn(without)).toEqual(GUARDED_STREAMS);
    for (const stream of GUARDED_STREAMS) expect(history.log.reasons).toContainEqual(expect.stringContaining(`${stream} is refused`));
  });

  it('is refused where the service has stored another event in the place of a removed one', async () => {
    const cut = await history.copyOf(({ stream, revision }) => stream.startsWith('history-') || revision === 0);
    history.clock.advance(1);
    for (const { stream, type } of GUARDED_TYPES) await history.append(cut, stream, [type, type], 0);
    expect(await history.refusedIn(await history.begun(cut))).toEqual(GUARDED_STREAMS);
  });

  it('is refused as an older copy at the start, also where it has all streams', async () => {
    const older = await history.copyOf(() => true);
    await history.append(history.raw, GUARDED_STREAMS[0]!, [GUARDED_TYPES[0]!.type], 1);
    await history.checkpoint();
    const { guard } = await history.begun(older);
    expect(guard.loss?.reason).toMatch(/the store is an older copy$/);
    // The checkpoint that the older copy would make is not published.
    await history.checkpoint(older);
    expect((await history.begun(history.raw)).guard.loss).toBeUndefined();
  });

  it('is refused where another party has tombstoned the streams, and not where the service has', async () => {
    const lost = GUARDED_TYPES.filter(({ streams }) => streams.terms.retention?.tombstoned !== undefined);
    expect(lost.length).toBeGreaterThan(3);
    for (const { stream, streams } of lost) await streams.tombstone(history.partsOver(history.raw).eventStore, stream);
    const erased = await history.begun(history.raw);
    await history.passOver(erased);
    expect([erased.guard.loss, await history.refusedIn(erased), history.log.reasons]).toEqual([undefined, [], []]);
    const others = GUARDED_STREAMS.filter((stream) => !lost.some((one) => one.stream === stream));
    for (const stream of others) await history.raw.tombstone(stream);
    const attacked = await history.begun(history.raw);
    expect(await history.refusedIn(attacked)).toEqual(others);
  });

  it('is refused where another party has truncated the streams', async () => {
    for (const stream of GUARDED_STREAMS) await history.raw.truncateBefore(stream, 1);
    expect(await history.refusedIn(await history.begun(history.raw))).toEqual(GUARDED_STREAMS);
  });

  it('is not refused where a phone has taken up its state in one event and was truncated before it', async () => {
    const phone = GUARDED_TYPES.find(({ type }) => type === 'DeviceEnrolled')!;
    await history.append(history.raw, phone.stream, ['DeviceCompacted', 'PinAccepted'], 1);
    await phone.streams.truncateBefore(history.partsOver(history.raw).eventStore, phone.stream, 2);
    const begun = await history.begun(history.raw);
    await history.passOver(begun);
    expect([begun.guard.loss, await history.refusedIn(begun)]).toEqual([undefined, []]);
  });

  it('goes on for all streams but those concerned, and altogether when the events are back', async () => {
    const [victim] = GUARDED_STREAMS;
    const cut = await history.copyOf(({ stream, revision }) => stream !== victim || revision === 0);
    const begun = await history.begun(cut);
    expect(await history.refusedIn(begun)).toEqual([victim]);
    expect(begun.guard.loss?.stream).toBe(victim);
    const [, removed] = await history.raw.read(victim!);
    await cut.append(victim!, 0, [{ type: removed!.type, data: removed!.data, metadata: removed!.metadata! }], { ids: [removed!.id] });
    await begun.guard.look();
    expect([begun.guard.loss, await history.refusedIn(begun)]).toEqual([undefined, []]);
  });

  it('is refused while no place answers that the store knows, and not by a process that has compared before', async () => {
    const running = await history.begun(history.raw);
    const kept = history.directory;
    history.directory = join(kept, 'away');
    const starting = await history.begun(history.raw);
    expect(starting.guard.loss?.reason).toContain('no place of checkpoints answers');
    history.directory = kept;
    await running.guard.look();
    expect(running.guard.loss).toBeUndefined();
    expect((await history.begun(await history.newStore())).guard.loss?.reason).toMatch(/it was emptied/);
  });
});
