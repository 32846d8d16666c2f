import { clockText, secondsLeft } from './countdown.js';
import { retryDelayMs } from './retry.js';
import { ServerClock } from '#web-page/calls';

describe('the clock of the service', () => {
  it('is the local one until the service says otherwise', () => {
    const clock = new ServerClock(() => 1_000_000);
    expect(clock.now()).toBe(1_000_000);
    clock.learn(1_090_000);
    expect(clock.now()).toBe(1_090_000);
  });

  it('is unknown until the service has told its time', () => {
    const clock = new ServerClock(() => 1_000_000);
    clock.learnFrom(new Response(''));
    expect(clock.knownNow()).toBeUndefined();
    clock.learn(1_000_000);
    expect(clock.knownNow()).toBe(1_000_000);
  });

  it('ignores small differences and invalid times', () => {
    const clock = new ServerClock(() => 1_000_000);
    clock.learn(1_001_500);
    clock.learn(Number.NaN);
    expect(clock.now()).toBe(1_000_000);
  });

  it('follows a local clock that was set right', () => {
    let local = 1_000_000;
    const clock = new ServerClock(() => local);
    clock.learn(1_090_000);
    local = 1_095_000;
    clock.learn(1_095_000);
    expect(clock.now()).toBe(1_095_000);
  });

  it('is read from the Date header', () => {
    const clock = new ServerClock(() => 0);
    clock.learnFrom(new Response('', { headers: { date: 'Thu, 01 Jan 1970 00:01:00 GMT' } }));
    expect(clock.now()).toBe(60_000);
  });
});

describe('a countdown', () => {
  it('shows whole seconds and stops at zero', () => {
    expect(secondsLeft(100, 99_001)).toBe(1);
    expect(secondsLeft(100, 100_000)).toBe(0);
    expect(secondsLeft(100, 200_000)).toBe(0);
    expect(clockText(125)).toBe('2:05');
  });
});

describe('the delay before a retry', () => {
  it('doubles up to five seconds, or is the one that the service asked for', () => {
    expect([1, 2, 3, 4, 9].map((failures) => retryDelayMs(failures))).toEqual([1000, 2000, 4000, 5000, 5000]);
    expect(retryDelayMs(1, 7000)).toBe(7000);
  });
});
