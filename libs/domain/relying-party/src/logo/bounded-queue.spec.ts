import { jest } from '@jest/globals';

import { ServiceUnavailable } from '#kernel';

import { BoundedQueue } from './bounded-queue.js';

const LIMITS = { running: 2, waiting: 3, patience: 60_000 };

const gate = () => {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  return {
    begun,
    task: (name: number) => () => {
      begun.push(name);
      return new Promise<number>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: number) => ends.get(name)!(),
  };
};

describe('a bounded queue', () => {
  it('runs as many tasks at once as it may, and the others in the order of their arrival', async () => {
    const { begun, task, end } = gate();
    const queue = new BoundedQueue('tasks', LIMITS);
    const results = [1, 2, 3, 4].map((name) => queue.run(task(name)));
    await Promise.resolve();
    expect(begun).toEqual([1, 2]);
    end(2);
    expect(await results[1]).toBe(2);
    expect(begun).toEqual([1, 2, 3]);
    [1, 3].forEach(end);
    await Promise.all([results[0], results[2]]);
    end(4);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
  });

  it('refuses the task that finds too many waiting, without beginning it', async () => {
    const { begun, task, end } = gate();
    const queue = new BoundedQueue('tasks', LIMITS);
    const results = [1, 2, 3, 4, 5].map((name) => queue.run(task(name)));
    const surplus = Array.from({ length: 100 }, (_, at) => queue.run(task(100 + at)));
    for (const one of await Promise.allSettled(surplus)) {
      expect(one).toMatchObject({ reason: { code: 'service_unavailable', reason: 'tasks: 3 wait already' } });
    }
    for (const name of [1, 2, 3, 4, 5]) {
      end(name);
      await results[name - 1];
    }
    expect(begun).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses a task that has waited too long, and gives its place to the next one', async () => {
    jest.useFakeTimers();
    try {
      const { begun, task, end } = gate();
      const queue = new BoundedQueue('tasks', { ...LIMITS, running: 1 });
      const first = queue.run(task(1));
      const late = expect(queue.run(task(2))).rejects.toMatchObject({ reason: 'tasks: none of 1 places was free in 60000 ms' });
      jest.advanceTimersByTime(60_000);
      await late;
      const next = queue.run(task(3));
      end(1);
      await first;
      end(3);
      expect(await next).toBe(3);
      expect(begun).toEqual([1, 3]);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('goes on after a task that failed', async () => {
    const queue = new BoundedQueue('tasks', { ...LIMITS, running: 1 });
    const failed = queue.run(async () => Promise.reject(new Error('no')));
    const next = queue.run(async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  it('refuses what waits and what comes once it is closed', async () => {
    const { begun, task, end } = gate();
    const queue = new BoundedQueue('tasks', { ...LIMITS, running: 1 });
    const running = queue.run(task(1));
    const waiting = expect(queue.run(task(2))).rejects.toThrow(ServiceUnavailable);
    queue.close();
    await waiting;
    await expect(queue.run(task(3))).rejects.toMatchObject({ reason: 'tasks: the process stops' });
    end(1);
    expect(await running).toBe(1);
    expect(begun).toEqual([1]);
  });
});
