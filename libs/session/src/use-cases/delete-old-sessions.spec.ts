import { streamName } from '#event-store';

import { sessionRetentionSweep } from '../session-use-cases.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';

const DAY = 86_400_000;

describe('deleting old sessions', () => {
  let fixture: ReturnType<typeof useCaseFixture>;

  beforeEach(() => {
    fixture = useCaseFixture();
  });
  afterEach(() => fixture.eventStore.close());

  const sweep = (signal = new AbortController().signal): Promise<number> => {
    const { eventStore, sessions, clock } = fixture;
    return sessionRetentionSweep(eventStore, sessions, clock).execute(signal);
  };

  it('keeps a session for thirty days from its end, also when its end was not recorded yet', async () => {
    const created = fixture.clock.now();
    const sessionId = await fixture.begin();
    expect(await sweep()).toBe(created + 30 * DAY);
    fixture.clock.advance(30 * DAY);
    expect(await sweep()).toBe(created + 120_000 + 30 * DAY);
    expect(await fixture.history.events(sessionId)).toEqual(['SessionCreated', 'SessionExpired']);
    fixture.clock.advance(120_000);
    await sweep();
    expect(await fixture.history.events(sessionId)).toEqual([]);
  });

  it('counts a login that was confirmed and never completed as ended ten minutes later', async () => {
    const sessionId = await fixture.begin();
    await fixture.history.confirm(sessionId);
    fixture.clock.advance(30 * DAY);
    expect(await sweep()).toBe(fixture.clock.now() + 600_000);
  });

  it('continues with the next session, and looks again after an hour when there is none', async () => {
    const [old, older] = [await fixture.begin(), await fixture.begin()];
    fixture.clock.advance(15 * DAY);
    const young = await fixture.begin();
    fixture.clock.advance(15 * DAY + 120_000);
    expect(await sweep()).toBe(fixture.clock.now() + 15 * DAY - 120_000);
    expect([await fixture.history.events(old), await fixture.history.events(older), await fixture.history.events(young)]).toEqual([
      [],
      [],
      ['SessionCreated'],
    ]);
    fixture.clock.advance(15 * DAY);
    expect(await sweep()).toBe(fixture.clock.now() + 3_600_000);
    expect(await fixture.history.events(young)).toEqual([]);
    expect(await fixture.eventStore.read(streamName('checkpoint', 'session-retention'))).toHaveLength(1);
  });

  it('stops with the signal and leaves the rest to the next run', async () => {
    const sessionId = await fixture.begin();
    fixture.clock.advance(31 * DAY);
    await sweep(AbortSignal.abort());
    expect(await fixture.history.events(sessionId)).toEqual(['SessionCreated']);
    await sweep();
    expect(await fixture.history.events(sessionId)).toEqual([]);
  });
});
