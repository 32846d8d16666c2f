import { streamName } from '#engines/event-store';
import { AnchoredStore, GUARDED } from '#testkit/transparency-log/anchored-store';

import { AnchoredEventStore } from './anchored-event-store.js';
import { HistoryGuard } from './history-guard.js';
import { HistoryPass } from './history-pass.js';

/** Milliseconds in which a pass has to come to its end, however many leaves there are. */
const HOUR = 3_600_000;
const signal = new AbortController().signal;

describe('a pass over all leaves of the published history', () => {
  let anchored: AnchoredStore;
  let guard: HistoryGuard;
  let losses: string[];
  let pauses: number[];
  let compared: number[];
  beforeEach(() => {
    anchored = new AnchoredStore();
    [losses, pauses, compared] = [[], [], []];
  });
  afterEach(async () => {
    await anchored.sqlite.close();
    anchored[Symbol.dispose]();
  });

  /** A process over a store with so many streams of two guarded events each. */
  const begun = async (streams: number): Promise<HistoryPass> => {
    for (let index = 0; index < streams; index++) await anchored.append('right', `${index}`, ['GuardedGrant', 'GuardedGrant']);
    await anchored.writer().write(signal);
    const parts = { store: anchored.store, logs: anchored.logs(), truncatedBefore: () => [], heads: [], pause: async () => undefined };
    guard = new HistoryGuard({ ...parts, lost: ({ reason }) => losses.push(reason), unavailable: (place) => losses.push(place) });
    await guard.look();
    return new HistoryPass({
      store: new AnchoredEventStore(anchored.store, guard, new Set(GUARDED.categories)),
      guard,
      guarded: GUARDED,
      passed: (leaves) => compared.push(leaves),
      pause: async (milliseconds) => void pauses.push(milliseconds),
    });
  };

  it.each([10, 10_000])('waits after each of %d streams, less where there are more, and leaves time within the hour', async (streams) => {
    await (await begun(streams)).run(signal);
    expect([compared, pauses.length, losses]).toEqual([[2 * streams], streams, []]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(250);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual((HOUR * 2) / 3 + 1);
  });

  it('goes on after a stream that lacks an event, and counts all leaves', async () => {
    const pass = await begun(4);
    await anchored.sqlite.truncateBefore(streamName('right', '1'), 1);
    await anchored.sqlite.tombstone(streamName('right', '2'));
    await pass.run(signal);
    expect(compared).toEqual([8]);
    expect(losses).toEqual([
      expect.stringMatching(/^right-1 is refused: /),
      expect.stringMatching(/^whole streams are missing: right-… with the hash .* \(revision 1, leaf 5\)$/),
    ]);
    expect(guard.loss).toBeDefined();
  });

  it('ends with the process', async () => {
    const pass = await begun(4);
    const stopping = new AbortController();
    stopping.abort(new Error('stopping'));
    await expect(pass.run(stopping.signal)).rejects.toThrow('stopping');
    expect([compared, losses]).toEqual([[], []]);
  });
});
