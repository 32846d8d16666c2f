import { describe, expect, it } from '@jest/globals';

import { WakeUps } from './wake-ups.js';

const LONG = 60_000;
const never = new AbortController().signal;

describe('a watch', () => {
  it('is woken by its key only, and counts each wake-up for every watch of the key', async () => {
    const wakeUps = new WakeUps();
    const [one, two, other] = [wakeUps.watch('a'), wakeUps.watch('a'), wakeUps.watch('b')];
    const waiting = Promise.all([one.next(LONG, never), two.next(LONG, never)]);
    wakeUps.wake('a');
    expect(await waiting).toEqual([true, true]);
    expect(await other.next(1, never)).toBe(false);
    expect(await one.next(1, never)).toBe(false);
  });

  it('keeps a wake-up that comes between two waits, once', async () => {
    const wakeUps = new WakeUps();
    const watch = wakeUps.watch('a');
    wakeUps.wake('a');
    wakeUps.wake('a');
    expect(await watch.next(LONG, never)).toBe(true);
    expect(await watch.next(1, never)).toBe(false);
  });

  it('ends its wait when the signal aborts, or has aborted', async () => {
    const wakeUps = new WakeUps();
    const stop = new AbortController();
    const waiting = wakeUps.watch('a').next(LONG, stop.signal);
    stop.abort();
    expect(await waiting).toBe(false);
    expect(await wakeUps.watch('a').next(LONG, stop.signal)).toBe(false);
  });

  it('is forgotten when it is closed; the key when its last watch is', () => {
    const wakeUps = new WakeUps();
    const [one, two] = [wakeUps.watch('a'), wakeUps.watch('a')];
    one.close();
    one.close();
    expect(wakeUps.isWatched('a')).toBe(true);
    two.close();
    expect(wakeUps.keys).toEqual([]);
  });
});
