import { FixedClock } from '#testkit/kernel/fixed-clock';

import { EndpointGate, type GateLimits, type Leave, RetryLater } from './endpoint-gate.js';

const LIMITS: GateLimits = { inFlight: 2, waiting: 1, perSecond: 10, failures: 3, retriesPerSecond: 2 };

let clock: FixedClock;
let gate: EndpointGate;
beforeEach(() => {
  clock = new FixedClock(0);
  gate = new EndpointGate(clock, LIMITS);
});

const enter = async (): Promise<Leave> => {
  const leave = await gate.enter();
  if (leave instanceof RetryLater) throw new Error(`not before ${leave.at}`);
  return leave;
};
const fail = async (times: number): Promise<void> => {
  for (let count = 0; count < times; count++) (await enter())(true);
};
/** The answers to attempts that arrive together: `true` for one that may start, the time of the retry for one that may not. One that waits is missing. */
const enterTogether = async (count: number): Promise<readonly (true | number)[]> => {
  const answers: (true | number)[] = [];
  for (let entered = 0; entered < count; entered++) {
    void gate.enter().then((answer) => answers.push(answer instanceof RetryLater ? answer.at : true));
    await new Promise(setImmediate);
  }
  return answers;
};

describe('the gate of an endpoint', () => {
  it('admits attempts up to its limit, lets one wait, and tells the others to retry later', async () => {
    const [leave] = [await enter(), await enter()];
    const waiting = enter();
    expect(await gate.enter()).toEqual(new RetryLater(350));
    expect(await gate.enter()).toEqual(new RetryLater(450));
    leave(false);
    await expect(waiting).resolves.toBeInstanceOf(Function);
    expect(await enterTogether(1)).toEqual([]); // both places are taken again: this one waits
  });

  it('admits attempts up to its limit per second', async () => {
    for (let count = 0; count < 10; count++) (await enter())(false);
    expect(await gate.enter()).toBeInstanceOf(RetryLater);
    clock.advance(100);
    (await enter())(false);
    expect(await gate.enter()).toBeInstanceOf(RetryLater);
  });

  it('pauses after failures in a row, for longer each time, then admits one attempt', async () => {
    await fail(3);
    expect(await gate.enter()).toEqual(new RetryLater(2_500));
    clock.advance(2_000);
    const probe = await enter();
    const waiting = gate.enter();
    probe(true);
    expect(await waiting).toBeInstanceOf(RetryLater);
    clock.advance(3_999);
    expect(await gate.enter()).toBeInstanceOf(RetryLater);
    clock.advance(1);
    (await enter())(false);
    expect(await enterTogether(2)).toEqual([true, true]);
  });

  it('admits one attempt at a time until the first success after a pause', async () => {
    await fail(3);
    clock.advance(2_000);
    expect(await enterTogether(3)).toEqual([true, 2_750]); // the second waits inside, for the outcome of the first
  });

  it('spreads the retries while it is paused, and starts the spread anew when it is open again', async () => {
    await fail(3);
    for (let count = 0; count < 10; count++) await gate.enter();
    expect(await gate.enter()).toEqual(new RetryLater(7_500));
    clock.advance(2_000);
    (await enter())(false);
    expect(await enterTogether(4)).toEqual([true, true, 2_350]); // the third waits inside
  });

  it('spreads the retries by the duration of attempts, a hanging one included', async () => {
    const slow = [await enter(), await enter()];
    clock.advance(1_000);
    const waiting = enter();
    expect(await gate.enter()).toEqual(new RetryLater(1_750)); // 250 ms, and half of the duration of each of the two
    expect(await gate.enter()).toEqual(new RetryLater(2_250));
    for (const leave of slow) leave(false);
    (await waiting)(false);
    for (let quick = 0; quick < 30; quick++) {
      (await enter())(false);
      clock.advance(100);
    }
    expect(await enterTogether(4)).toEqual([true, true, clock.now() + 350]);
  });

  it('leaves the time after the answer out of the duration', async () => {
    for (let count = 0; count < 5; count++) {
      const leave = await enter();
      const answeredAt = clock.now() + 10;
      clock.advance(60_000);
      leave(false, answeredAt);
    }
    await Promise.all([enter(), enter()]);
    void gate.enter(); // waits inside
    expect(((await gate.enter()) as RetryLater).at - clock.now()).toBe(350);
  });

  it('spreads the retries over a minute at most', async () => {
    await fail(3);
    const times: number[] = [];
    for (let count = 0; count < 300; count++) times.push(((await gate.enter()) as RetryLater).at);
    expect(Math.max(...times)).toBe(60_000);
    expect(times[116]).toBe(2_500);
  });

  it('frees the place of an attempt that was not made, and learns nothing from it', async () => {
    await fail(2);
    (await enter())(undefined);
    await fail(1);
    expect(await gate.enter()).toBeInstanceOf(RetryLater);
  });

  it('forgets failures at the first success', async () => {
    await fail(2);
    (await enter())(false);
    await fail(2);
    expect(await enterTogether(2)).toEqual([true, true]);
  });
});
