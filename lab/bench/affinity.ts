import { execFileSync } from 'node:child_process';

/** Lets every thread of the process run on these cores only, as `taskset` lists them: `0` or `0,1`. Threads that it starts later inherit that. Needs Linux. */
export const pin = (pid: number, cores: string): void => {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: ['ignore', 'ignore', 'inherit'] });
};

/**
 * Does the work, and meanwhile keeps this process from sleeping when it waits. A load that sleeps lets its core go to sleep too: each answer then costs the
 * server the time to wake it, and the server looks slower than it is.
 */
export const withoutSleep = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  let working = true;
  const turn = (): void => {
    if (working) setImmediate(turn);
  };
  turn();
  try {
    return await work();
  } finally {
    working = false;
  }
};
