import { backgroundPause, growing, pause, retry, untilAborted, type Randomness } from './index.js';
import { FixedClock } from '#testkit/kernel/fixed-clock';

/** Work that fails so often, then answers with the number of the try. */
const failing = (times: number, error: unknown = new Error('down')) => {
  const attempts: number[] = [];
  const work = async (attempt: number): Promise<number> => {
    attempts.push(attempt);
    if (attempts.length <= times) throw error;
    return attempt;
  };
  return { work, attempts };
};

/** A pause that ends at once and moves the clock. */
const paused = (clock = new FixedClock()) => {
  const waits: number[] = [];
  const move = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    clock.advance(milliseconds);
  };
  return { pause: move, waits, clock };
};

const always = (fraction: number): Pick<Randomness, 'bytes'> => ({
  bytes: () => {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16BE(fraction * 0x1_0000);
    return bytes;
  },
});

describe('work that is tried again', () => {
  it('is done once when it succeeds, without a wait', async () => {
    const { pause, waits } = paused();
    expect(await retry(failing(0).work, { waits: 5, pause })).toBe(1);
    expect(waits).toEqual([]);
  });

  it('is tried again after the same wait each time, without an end', async () => {
    const { pause, waits } = paused();
    expect(await retry(failing(100).work, { waits: 5, pause })).toBe(101);
    expect(waits).toEqual(Array.from({ length: 100 }, () => 5));
  });

  it('ends with its last error after as many waits as the list holds', async () => {
    const { pause, waits } = paused();
    const { work, attempts } = failing(Infinity, new Error('still down'));
    await expect(retry(work, { waits: [1, 2, 3], pause })).rejects.toThrow('still down');
    expect([attempts, waits]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3],
    ]);
  });

  it('waits as the failure asks, and no more where there is no wait', async () => {
    const { pause, waits } = paused();
    const asked = { retryAfter: 7 };
    const { work } = failing(Infinity, asked);
    await expect(retry(work, { waits: (failures, error) => (failures < 3 ? (error as typeof asked).retryAfter : undefined), pause })).rejects.toBe(
      asked,
    );
    expect(waits).toEqual([7, 7]);
  });

  it('is not tried again after a failure that no repetition mends', async () => {
    const { pause, waits } = paused();
    const { work, attempts } = failing(Infinity, new TypeError('wrong'));
    await expect(retry(work, { waits: 5, when: (error) => !(error instanceof TypeError), pause })).rejects.toThrow('wrong');
    expect([attempts, waits]).toEqual([[1], []]);
  });

  it('is tried until the time is over, and never at that time', async () => {
    const { pause, clock } = paused();
    const time = clock.monotonic() + 100;
    const { work, attempts } = failing(Infinity);
    const exhausted = (error: unknown) => new Error(`gave up: ${(error as Error).message}`);
    await expect(retry(work, { waits: 25, until: { clock, time }, exhausted, pause })).rejects.toThrow('gave up: down');
    expect(attempts).toHaveLength(4);
    expect(clock.monotonic()).toBeLessThan(time);
  });

  it('reports each failure before its wait, and not the last one', async () => {
    const { pause } = paused();
    const reported: [unknown, number][] = [];
    await expect(
      retry(failing(3).work, { waits: [1, 1], onRetry: (error, failures) => void reported.push([error, failures]), pause }),
    ).rejects.toThrow();
    expect(reported).toEqual([
      [new Error('down'), 1],
      [new Error('down'), 2],
    ]);
  });

  it('counts failures in a row, and all tries', async () => {
    const { pause } = paused();
    const counted: number[] = [];
    const work = async (attempt: number, progressed: () => void): Promise<number> => {
      if (attempt === 3) progressed();
      if (attempt < 5) throw new Error('down');
      return attempt;
    };
    expect(await retry(work, { waits: 1, onRetry: (_, failures) => void counted.push(failures), pause })).toBe(5);
    expect(counted).toEqual([1, 2, 1, 2]);
  });

  it('is tried again at once where the wait is 0', async () => {
    const { pause, waits } = paused();
    expect(await retry(failing(3).work, { waits: 0, pause })).toBe(4);
    expect(waits).toEqual([]);
  });

  it('also counts what it throws without a promise', async () => {
    const { pause, waits } = paused();
    const work = (attempt: number): Promise<string> => {
      if (attempt === 1) throw new Error('at once');
      return Promise.resolve('done');
    };
    expect(await retry(work, { waits: 5, pause })).toBe('done');
    expect(waits).toEqual([5]);
  });
});

describe('the signal of a retry', () => {
  const stopped = new Error('stopped');

  it('prevents the first try', async () => {
    const { work, attempts } = failing(0);
    await expect(retry(work, { waits: 5, signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
    expect(attempts).toEqual([]);
  });

  it('ends the wait at once', async () => {
    const stopping = new AbortController();
    const { work, attempts } = failing(Infinity);
    const trying = retry(work, { waits: 3_600_000, signal: stopping.signal, onRetry: () => setImmediate(() => stopping.abort(stopped)) });
    await expect(trying).rejects.toBe(stopped);
    expect(attempts).toEqual([1]);
  });

  it('makes a failure after it no failure of the work', async () => {
    const stopping = new AbortController();
    const reported: unknown[] = [];
    const work = async (): Promise<void> => {
      stopping.abort(stopped);
      throw new Error('interrupted');
    };
    const trying = retry(work, { waits: 5, signal: stopping.signal, onRetry: (error) => void reported.push(error) });
    await expect(trying).rejects.toBe(stopped);
    expect(reported).toEqual([]);
  });

  it('lets work end quietly, and hides no failure before it', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(AbortSignal.abort(), Promise.reject(new Error('interrupted')))).toBeUndefined();
    expect(await untilAborted(AbortSignal.abort(), Promise.resolve('done'))).toBe('done');
    await expect(untilAborted(signal, Promise.reject(new Error('down')))).rejects.toThrow('down');
  });
});

describe('growing waits', () => {
  it('double up to the longest, after any number of failures', () => {
    const waitAfter = growing({ first: 100, longest: 1_000 });
    expect([1, 2, 3, 4, 5, 5_000].map((failures) => waitAfter(failures))).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('lose up to a half by chance', () => {
    const after = (fraction: number) => growing({ first: 100, longest: 1_000, randomness: always(fraction) });
    expect([after(0)(2), after(0.5)(2)]).toEqual([100, 150]);
    expect(after(0xffff / 0x1_0000)(2)).toBeLessThan(200);
  });
});

describe.each([
  ['the pause', pause],
  ['the pause that keeps no process alive', backgroundPause],
])('%s', (_, wait) => {
  it('ends with the signal, also with one that was given before', async () => {
    const stopping = new AbortController();
    const waiting = wait(3_600_000, stopping.signal);
    stopping.abort(new Error('stopped'));
    expect(await waiting).toBeUndefined();
    expect(await wait(3_600_000, stopping.signal)).toBeUndefined();
  });

  it('ends after its time', async () => {
    expect(await wait(1)).toBeUndefined();
  });
});
