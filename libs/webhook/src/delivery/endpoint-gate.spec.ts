import { FixedClock } from '#kernel';

import { EndpointGate, type GateLimits, type Leave, NotNow } from './endpoint-gate.js';

const LIMITS: GateLimits = { inFlight: 2, waiting: 1, perSecond: 10, failures: 3, comingBack: 2 };

let clock: FixedClock;
let gate: EndpointGate;
beforeEach(() => {
  clock = new FixedClock(0);
  gate = new EndpointGate(clock, LIMITS);
});

const enter = async (): Promise<Leave> => {
  const leave = await gate.enter();
  if (leave instanceof NotNow) throw new Error(`not before ${leave.at}`);
  return leave;
};
const fail = async (times: number): Promise<void> => {
  for (let count = 0; count < times; count++) (await enter())(true);
};

describe('the gate of an endpoint', () => {
  it('lets so many in at once, one wait, and turns the others away', async () => {
    const [leave] = [await enter(), await enter()];
    const waiting = enter();
    expect(await gate.enter()).toEqual(new NotNow(350));
    expect(await gate.enter()).toEqual(new NotNow(450));
    leave(false);
    await waiting;
  });

  it('lets in so many in a second', async () => {
    for (let count = 0; count < 10; count++) (await enter())(false);
    expect(await gate.enter()).toBeInstanceOf(NotNow);
    clock.advance(100);
    (await enter())(false);
    expect(await gate.enter()).toBeInstanceOf(NotNow);
  });

  it('closes after failures in a row, for longer each time, and lets one find out', async () => {
    await fail(3);
    expect(await gate.enter()).toEqual(new NotNow(2_500));
    clock.advance(2_000);
    const probe = await enter();
    const waiting = gate.enter();
    probe(true);
    expect(await waiting).toBeInstanceOf(NotNow);
    clock.advance(3_999);
    expect(await gate.enter()).toBeInstanceOf(NotNow);
    clock.advance(1);
    (await enter())(false);
    await Promise.all([enter(), enter()]);
  });

  it('spreads those whom it turns away while it is closed, and nobody stands behind them when it is open again', async () => {
    await fail(3);
    for (let count = 0; count < 10; count++) await gate.enter();
    expect(await gate.enter()).toEqual(new NotNow(7_500));
    clock.advance(2_000);
    (await enter())(false);
    await Promise.all([enter(), enter()]);
    void gate.enter();
    expect(await gate.enter()).toEqual(new NotNow(2_350));
  });

  it('sends away as long as attempts take, one that hangs now included', async () => {
    const slow = [await enter(), await enter()];
    clock.advance(1_000);
    const waiting = enter();
    expect(await gate.enter()).toEqual(new NotNow(1_750)); // 250 ms, and half of what each of two has been taking
    expect(await gate.enter()).toEqual(new NotNow(2_250));
    for (const leave of slow) leave(false);
    (await waiting)(false);
    for (let quick = 0; quick < 30; quick++) {
      (await enter())(false);
      clock.advance(100);
    }
    const [leave] = [await enter(), await enter()];
    const next = enter();
    expect(await gate.enter()).toEqual(new NotNow(clock.now() + 350));
    leave(false);
    await next;
  });

  it('sends nobody away for longer than a minute', async () => {
    await fail(3);
    const times: number[] = [];
    for (let count = 0; count < 300; count++) times.push((await gate.enter() as NotNow).at);
    expect(Math.max(...times)).toBe(60_000);
    expect(times[116]).toBe(2_500);
  });

  it('frees the place of one that made no attempt, and learns nothing from it', async () => {
    await fail(2);
    (await enter())(undefined);
    await fail(1);
    expect(await gate.enter()).toBeInstanceOf(NotNow);
  });

  it('forgets failures at the first success', async () => {
    await fail(2);
    (await enter())(false);
    await fail(2);
    (await enter())(false);
  });
});
