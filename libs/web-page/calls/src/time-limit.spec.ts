import { jest } from '@jest/globals';

import { withTimeLimit } from './time-limit.js';

/** Work that ends only by its signal. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(new Error('aborted'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

describe('a time limit', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('aborts work that takes longer', async () => {
    const work = withTimeLimit(1000, endless);
    jest.advanceTimersByTime(1000);
    await expect(work).rejects.toThrow('aborted');
  });

  it('aborts work when its caller ends it, also before it began', async () => {
    const caller = new AbortController();
    const work = withTimeLimit(1000, endless, caller.signal);
    caller.abort();
    await expect(work).rejects.toThrow('aborted');
    await expect(withTimeLimit(1000, endless, caller.signal)).rejects.toThrow('aborted');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves neither a timer nor a listener after the work', async () => {
    const caller = new AbortController();
    const removed = jest.spyOn(caller.signal, 'removeEventListener');
    expect(await withTimeLimit(1000, () => Promise.resolve(7), caller.signal)).toBe(7);
    expect(jest.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it('needs neither AbortSignal.timeout nor AbortSignal.any', async () => {
    const { timeout, any } = AbortSignal;
    Reflect.deleteProperty(AbortSignal, 'timeout');
    Reflect.deleteProperty(AbortSignal, 'any');
    try {
      expect(await withTimeLimit(1000, () => Promise.resolve(7), new AbortController().signal)).toBe(7);
    } finally {
      Object.assign(AbortSignal, { timeout, any });
    }
  });
});
