import { KeyedQueue } from './keyed-queue.js';

describe('KeyedQueue', () => {
  const gate = (): { opened: Promise<void>; open: () => void } => {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { opened: promise, open: resolve };
  };

  it('runs tasks of one key one after another, in order', async () => {
    const queue = new KeyedQueue();
    const log: string[] = [];
    const first = gate();
    const tasks = [
      queue.run('a', async () => {
        log.push('first begins');
        await first.opened;
        log.push('first ends');
      }),
      queue.run('a', async () => void log.push('second')),
      queue.run('a', async () => void log.push('third')),
    ];
    await Promise.resolve();
    expect(log).toEqual(['first begins']);
    first.open();
    await Promise.all(tasks);
    expect(log).toEqual(['first begins', 'first ends', 'second', 'third']);
  });

  it('runs tasks of different keys side by side', async () => {
    const queue = new KeyedQueue();
    const first = gate();
    const waiting = queue.run('a', () => first.opened);
    expect(await queue.run('b', async () => 'done')).toBe('done');
    first.open();
    await waiting;
  });

  it('goes on after a task that failed, and rejects only for its caller', async () => {
    const queue = new KeyedQueue();
    const failed = queue.run('a', async () => {
      throw new Error('the first');
    });
    const next = queue.run('a', async () => 'the second');
    await expect(failed).rejects.toThrow('the first');
    expect(await next).toBe('the second');
  });

  it('begins a task at once when nothing waits', async () => {
    const queue = new KeyedQueue();
    let begun = false;
    await queue.run('a', async () => undefined);
    await Promise.resolve();
    const task = queue.run('a', async () => {
      begun = true;
    });
    expect(begun).toBe(true);
    await task;
  });

  it('gives a turn that lasts until it is given back', async () => {
    const queue = new KeyedQueue();
    const log: string[] = [];
    const end = await queue.take('a');
    const waiting = queue.take('a').then((endNext) => (log.push('second begins'), endNext));
    const last = queue.run('a', async () => void log.push('third'));
    expect(queue.isFree('a')).toBe(false);
    await new Promise(setImmediate);
    expect(log).toEqual([]);
    end();
    (await waiting)();
    await last;
    expect(log).toEqual(['second begins', 'third']);
    await queue.idle();
    expect(queue.isFree('a')).toBe(true);
  });

  it('gives a turn at once where the key is free, and none where it is not', async () => {
    const queue = new KeyedQueue();
    const log: string[] = [];
    const end = queue.takeAtOnce('a');
    expect(queue.takeAtOnce('a')).toBeUndefined();
    const waiting = queue.run('a', async () => void log.push('second'));
    await new Promise(setImmediate);
    expect(log).toEqual([]);
    end?.();
    expect(queue.takeAtOnce('a')).toBeUndefined();
    await waiting;
    expect(log).toEqual(['second']);
    queue.takeAtOnce('a')?.();
    expect(queue.isFree('a')).toBe(true);
    await queue.idle();
  });

  it('is idle when every task has ended, also those that were added in the meantime', async () => {
    const queue = new KeyedQueue();
    const ended: string[] = [];
    const first = gate();
    await queue.idle();
    void queue
      .run('a', async () => {
        await first.opened;
        void queue.run('b', async () => {
          await Promise.resolve();
          ended.push('of the first');
        });
        throw new Error('the first');
      })
      .catch(() => ended.push('the first'));
    void queue.run('a', async () => void ended.push('second'));
    const idle = queue.idle();
    first.open();
    await idle;
    expect(ended.toSorted()).toEqual(['of the first', 'second', 'the first']);
  });
});
