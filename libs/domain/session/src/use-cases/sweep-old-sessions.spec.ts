import { UnitOfWork } from '#engines/event-store';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { SessionId } from '#kernel';

import { timerWaits } from '../domain/session-timer.js';
import { Checkpoint } from '../repositories/checkpoint.js';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { RunSessionTimer } from './run-session-timer.js';
import { SweepOldSessions } from './sweep-old-sessions.js';

const DAY = 86_400_000;
const RETENTION = 30 * DAY;
/** The sweep looks for a session two days after its retention. */
const SWEPT_AFTER = 32 * DAY;

describe('a sweep of old sessions', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let checkpoint: Checkpoint;
  let sweep: (signal?: AbortSignal) => Promise<void>;

  beforeEach(() => {
    fixture = useCaseFixture();
    const { eventStore: store, clock, sessions } = fixture;
    checkpoint = new Checkpoint(new UnitOfWork(store, clock), 'session-retention');
    const run = new RunSessionTimer(store, sessions, timerWaits(RETENTION), clock);
    const sweeps = new SweepOldSessions({ store, checkpoint, run, retention: RETENTION, clock });
    sweep = (signal = new AbortController().signal) => sweeps.execute(signal);
  });
  afterEach(() => fixture.eventStore.close());

  const isStored = async (sessionId: SessionId): Promise<boolean> => (await fixture.history.events(sessionId)).length > 0;

  it('deletes what the timers have left, up to the first session that is young enough', async () => {
    const [first, second] = [await fixture.begin(), await fixture.begin()];
    fixture.clock.advance(DAY);
    const young = await fixture.begin();
    fixture.clock.advance(SWEPT_AFTER - DAY - 1);
    await sweep();
    expect([await isStored(first), await checkpoint.position()]).toEqual([true, 0n]);
    fixture.clock.advance(1);
    await sweep();
    expect([await isStored(first), await isStored(second), await isStored(young)]).toEqual([false, false, true]);
    expect(await checkpoint.position()).toBeGreaterThan(0n);
  });

  it('does not move its checkpoint past a stored session, for example one that only a newer release understands', async () => {
    const newer = await fixture.begin();
    await fixture.eventStore.append(`session-${newer}` as never, 0, [
      { type: 'SessionSuspended', data: { at: fixture.clock.now() }, metadata: { v: 3 } },
    ]);
    const other = await fixture.begin();
    fixture.clock.advance(SWEPT_AFTER);
    await expect(sweep()).rejects.toThrow('newer');
    expect([await isStored(newer), await checkpoint.position()]).toEqual([true, 0n]);
    expect(await isStored(other)).toBe(false);
  });

  it('deletes a thousand of them, and begins the next time after them', async () => {
    const sessions = await Promise.all(Array.from({ length: 1_001 }, () => fixture.begin()));
    fixture.clock.advance(SWEPT_AFTER);
    await sweep();
    expect((await Promise.all(sessions.map(isStored))).some(Boolean)).toBe(false);
    const young = await fixture.begin();
    const [created] = await fixture.eventStore.read(`session-${young}` as never);
    const { position } = created!;
    expect(await checkpoint.position()).toBeLessThan(position);
    await sweep();
    expect(await isStored(young)).toBe(true);
  });

  it('stops with the signal and leaves the rest to the next one', async () => {
    const sessionId = await fixture.begin();
    fixture.clock.advance(SWEPT_AFTER);
    await sweep(AbortSignal.abort()).catch(() => undefined);
    expect(await isStored(sessionId)).toBe(true);
    await sweep();
    expect(await isStored(sessionId)).toBe(false);
  });
});
