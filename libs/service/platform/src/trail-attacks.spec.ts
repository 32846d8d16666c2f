import { type EventStore, type RecordedEvent, StreamRefused } from '#engines/event-store';
import { STORE_DIALECTS } from '#testkit/event-store/store-engines';
import { GuardedHistory } from '#testkit/platform/guarded-history';

import { STREAMS } from './streams.js';

const TRAIL = STREAMS.find(({ category }) => category === 'audit')!.of('log');

describe.each(STORE_DIALECTS)('the audit trail of a store with a published history, over $engine,', (engine) => {
  let history: GuardedHistory;
  beforeAll(async () => {
    history = await GuardedHistory.open(engine);
    await history.append(history.raw, TRAIL, ['AdminChangeBegun', 'AdminChangeEnded', 'AdminChangeBegun']);
    await history.checkpoint();
  });
  afterAll(() => history[Symbol.asyncDispose]());
  beforeEach(() => void history.log.reasons.splice(0));

  const ATTACKS: readonly (readonly [string, (store: EventStore) => Promise<unknown>])[] = [
    ['tombstoned', (store) => store.tombstone(TRAIL)],
    ['truncated', (store) => store.truncateBefore(TRAIL, 1)],
  ];

  it.each(ATTACKS)('is a loss of the history where it was %s, which the alarm names and which stays', async (_, attack) => {
    const attacked = await history.copyOf(() => true);
    await attack(attacked);
    const begun = await history.begun(attacked);
    // The end of a truncated trail is there: a pass finds what is missing, or whoever reads the trail.
    await history.passOver(begun);
    expect(begun.guard.loss).toMatchObject({ stream: TRAIL });
    expect(history.log.reasons).toContainEqual(expect.stringMatching(/^audit-log is refused: /));
    await expect(begun.eventStore.read(TRAIL)).rejects.toThrow(StreamRefused);
    await begun.guard.look();
    expect(begun.guard.loss).toMatchObject({ stream: TRAIL });
  });

  it('is a loss of the history where it was tombstoned while a process runs that knows its entries', async () => {
    const attacked = await history.copyOf(() => true);
    const begun = await history.begun(attacked);
    expect(await begun.eventStore.read(TRAIL)).toHaveLength(3);
    await attacked.tombstone(TRAIL);
    await expect(begun.eventStore.read(TRAIL, { direction: 'backwards', limit: 50 })).rejects.toThrow(StreamRefused);
    expect(begun.guard.loss).toMatchObject({ stream: TRAIL });
  });

  const CUTS: readonly (readonly [string, (event: RecordedEvent) => boolean, number])[] = [
    ['taken away', () => false, 2],
    ['cut to its first entry', ({ revision }) => revision < 1, 2],
    ['cut by its last entry', ({ revision }) => revision < 2, 2],
  ];

  it.each(CUTS)('is a loss of the history where it was %s, which the start finds and the alarm names', async (_, keeps, revision) => {
    const { guard } = await history.begun(await history.copyOf((event) => event.stream !== TRAIL || keeps(event)));
    expect(guard.loss).toMatchObject({ stream: TRAIL });
    expect(history.log.reasons).toContainEqual(expect.stringMatching(new RegExp(`^audit-log is refused: .*, revision ${revision}$`)));
  });
});
