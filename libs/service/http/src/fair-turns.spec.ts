import { beforeEach, describe, expect, it } from '@jest/globals';

import { FairTurns, ownLoop } from './fair-turns.js';

describe('turns of holders', () => {
  let now: number;
  let load: number;
  let due: { readonly at: number; readonly work: () => void }[];
  let turns: FairTurns;
  let begun: string[];
  beforeEach(() => {
    [now, load, due, begun] = [0, 0, [], []];
    turns = new FairTurns({ load: () => load, now: () => now, after: (milliseconds, work) => void due.push({ at: now + milliseconds, work }) });
  });
  const ask = (holder: string, times = 1): void => {
    for (let call = 0; call < times; call += 1) turns.take(holder, () => begun.push(holder));
  };
  const pass = (milliseconds: number): void => {
    const end = now + milliseconds;
    for (let next = due[0]; next && next.at <= end; next = due[0]) {
      due = due.slice(1);
      now = next.at;
      next.work();
    }
    now = end;
  };
  const times = (holder: string): number => begun.filter((each) => each === holder).length;

  it('begin at once while the process is not busy, however many calls one holder has', () => {
    load = 0.5;
    ask('small');
    ask('large', 100);
    expect([times('small'), times('large')]).toEqual([1, 100]);
  });

  it('begin at once where there is one holder alone, however busy the process is', () => {
    load = 1;
    ask('only', 100);
    expect(times('only')).toBe(100);
  });

  it('make the holder wait that asks for more than its share, and no other one', () => {
    load = 1;
    ask('small', 10);
    ask('large', 100);
    ask('small', 10);
    expect(times('small')).toBe(20);
    expect(times('large')).toBeLessThan(30);
    expect(turns.waiting).toBe(100 - times('large'));
  });

  it('go on in twenty of a second while the process is busy, the holders one after the other', () => {
    load = 1;
    ask('small', 10);
    for (let call = 0; call < 50; call += 1) for (const holder of ['large', 'larger']) ask(holder);
    const before = begun.length;
    pass(49);
    expect(begun).toHaveLength(before);
    pass(151);
    expect(begun.slice(before)).toEqual(['large', 'larger', 'large', 'larger']);
  });

  it('go on in their order when the process has time again, never more than four at once', () => {
    load = 1;
    ask('small', 10);
    ask('large', 100);
    load = 0.2;
    const waiting: number[] = [];
    while (turns.waiting > 0) {
      waiting.push(turns.waiting);
      pass(5);
    }
    const steps = waiting.slice(1).map((left, step) => waiting[step]! - left);
    expect(Math.max(...steps)).toBe(4);
    expect([times('large'), waiting.length, due]).toEqual([100, Math.ceil(waiting[0]! / 4), []]);
  });

  it('stop again at the next look when those that went on make the process busy', () => {
    load = 1;
    ask('small', 10);
    ask('large', 100);
    const before = times('large');
    load = 0.2;
    pass(5);
    load = 0.9;
    pass(45);
    expect(times('large')).toBe(before + 4);
    pass(5);
    expect(times('large')).toBe(before + 5);
  });

  it('forget the calls of earlier seconds', () => {
    load = 1;
    ask('large', 100);
    pass(10_000);
    const before = times('large');
    ask('small', 5);
    ask('large', 5);
    expect(times('large')).toBe(before + 5);
  });

  it('let a holder go on that was alone before, as soon as another one asks for more than it', () => {
    load = 1;
    // The one of before: a hundred calls a second, spread over them.
    for (let call = 0; call < 200; call += 1) {
      ask('before');
      pass(10);
    }
    // The one that comes: it asks again as soon as it is answered, over fifty connections.
    for (let step = 0; step < 20; step += 1) {
      ask('newcomer', Math.max(0, 50 - turns.waiting));
      ask('before');
      pass(10);
    }
    expect(times('before')).toBe(220);
  });

  it('let a holder go on that no longer asks for more than its share, without its pace', () => {
    load = 1;
    ask('first', 10);
    ask('second', 20);
    expect(turns.waiting).toBeGreaterThan(0);
    ask('first', 30);
    const before = turns.waiting;
    pass(5);
    expect([before > 5, times('second')]).toEqual([true, 20]);
  });

  it('count a call that waits as asked for, however long it waits: a holder with many connections does not hold up others by having few answers', () => {
    load = 1;
    ask('steady', 10);
    for (let step = 0; step < 500; step += 1) {
      ask('large', Math.max(0, 100 - turns.waiting));
      ask('steady');
      pass(10);
    }
    expect(times('steady')).toBe(510);
  });

  it('cost no timer while nobody waits', () => {
    load = 1;
    ask('small', 10);
    ask('other', 10);
    expect(due).toEqual([]);
  });
});

describe('the load of the own event loop', () => {
  const spin = (milliseconds: number): void => {
    for (const end = performance.now() + milliseconds; performance.now() < end;);
  };

  it('is that of the time since the last look', async () => {
    const { load } = ownLoop();
    await new Promise(setImmediate);
    load();
    spin(20);
    await new Promise(setImmediate);
    expect(load()).toBeGreaterThan(0.5);
  });

  it('never goes beyond the whole', async () => {
    const { load } = ownLoop();
    for (let look = 0; look < 50; look += 1) {
      spin(1);
      await new Promise(setImmediate);
      expect(load()).toBeLessThanOrEqual(1);
    }
  });
});
