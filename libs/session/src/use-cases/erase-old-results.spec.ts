import { streamName } from '#event-store';
import type { SessionId } from '#kernel';

import type { SigningResult, SigningStatement } from '../domain/sealed-terms.js';
import { resultRetentionSweep } from '../session-use-cases.js';
import { DEVICE } from '../testing/session-history.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';

const MINUTE = 60_000;
const STATEMENT: SigningStatement = { toBeSigned: '', manifest: '', signingTime: 1 };

let fixture: ReturnType<typeof useCaseFixture>;
beforeEach(() => {
  fixture = useCaseFixture();
});
afterEach(() => fixture.eventStore.close());

const sweep = (): Promise<number> => resultRetentionSweep(fixture.eventStore, fixture.sessions, fixture.clock).execute(new AbortController().signal);
/** Whether the stream of the result is tombstoned. */
const isTombstoned = async (sessionId: SessionId): Promise<boolean> => {
  const stream = streamName('result', sessionId);
  if (!(await fixture.eventStore.exists(stream))) return false;
  return fixture.eventStore.setRetention(stream, {}).then(
    () => false,
    (error: Error) => error.name === 'StreamTombstoned',
  );
};
const complete = async (sessionId: SessionId): Promise<void> => {
  const { clock, history, results, identityId } = fixture;
  const at = clock.now();
  await history.append(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed: '', at } });
  await results.prepare(sessionId, STATEMENT);
  await results.sign(sessionId, 'c2lnbmF0dXJl');
  await history.append(sessionId, { type: 'SessionConfirmed', data: { buildExpiresAt: at + MINUTE, at } });
  await results.store(sessionId, {} as SigningResult);
  await history.append(sessionId, { type: 'SessionCompleted', data: { resultExpiresAt: at + 30 * MINUTE, at } });
};

describe('the result of a signature', () => {
  it('is tombstoned one minute after it is over', async () => {
    const sessionId = await fixture.begin({ signing: true });
    await complete(sessionId);
    expect(await sweep()).toBe(fixture.clock.now() + 31 * MINUTE);
    fixture.clock.advance(31 * MINUTE - 1);
    await sweep();
    expect(await isTombstoned(sessionId)).toBe(false);
    fixture.clock.advance(1);
    expect(await sweep()).toBe(fixture.clock.now() + MINUTE);
    expect(await isTombstoned(sessionId)).toBe(true);
    expect(await fixture.history.events(sessionId)).toContain('SessionCompleted');
  });

  it('is tombstoned with a statement that was never signed', async () => {
    const sessionId = await fixture.begin({ signing: true });
    await fixture.results.prepare(sessionId, STATEMENT);
    fixture.clock.advance(120_000 + MINUTE);
    await sweep();
    expect(await isTombstoned(sessionId)).toBe(true);
    expect(await fixture.history.events(sessionId)).toEqual(['SessionCreated', 'SessionExpired']);
  });

  it('leaves no tombstone for an unscanned session, nor for a login', async () => {
    const [unscanned, login] = [await fixture.begin({ signing: true }), await fixture.begin()];
    fixture.clock.advance(60 * MINUTE);
    await sweep();
    expect([await isTombstoned(unscanned), await isTombstoned(login)]).toEqual([false, false]);
    for (const sessionId of [unscanned, login]) expect(await fixture.eventStore.exists(streamName('result', sessionId))).toBe(false);
  });

  it('waits for a session before it that is still open', async () => {
    const open = await fixture.begin({ signing: true });
    const cancelled = await fixture.begin({ signing: true });
    await fixture.results.prepare(cancelled, STATEMENT);
    await fixture.history.append(cancelled, { type: 'SessionCancelled', data: { reason: 'DECLINED', at: fixture.clock.now() } });
    fixture.clock.advance(MINUTE);
    expect(await sweep()).toBe(fixture.clock.now() + 120_000);
    expect(await isTombstoned(cancelled)).toBe(false);
    fixture.clock.advance(120_000);
    await sweep();
    expect([await isTombstoned(open), await isTombstoned(cancelled)]).toEqual([false, true]);
  });
});
