import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a process has after SIGTERM before SIGKILL follows. */
const TERMINATION_TIME = 20_000;

/** Whether a process runs. One that has ended but is not yet waited for by its parent counts as ended. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    return false;
  }
};

/** The process that a file names, if it runs. */
export const runningProcess = async (pidFile: string): Promise<number | undefined> => {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  return pid > 0 && isRunning(pid) ? pid : undefined;
};

/** Ends the process that a file names, if it runs, waits for its end and removes the file. SIGKILL follows a SIGTERM after 20 s. */
export const endProcess = async (pidFile: string, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
  const pid = await runningProcess(pidFile);
  if (pid === undefined) return;
  send(pid, signal);
  for (const killAt = performance.now() + TERMINATION_TIME; isRunning(pid); await sleep(50)) {
    if (performance.now() > killAt) send(pid, 'SIGKILL');
  }
  await rm(pidFile, { force: true });
};

const send = (pid: number, signal: 'SIGTERM' | 'SIGKILL'): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
};
