import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';

import { TYPESCRIPT_ARGUMENTS } from '#testkit/kernel/typescript-process';

const PROGRAM = join(import.meta.dirname, '../../../testkit/telemetry/log-and-leave.ts');

const start = (how: string): ChildProcessByStdio<null, Readable, null> =>
  spawn(process.execPath, [...TYPESCRIPT_ARGUMENTS, PROGRAM, how], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
  });

const messagesOf = async (how: string): Promise<string[]> => {
  const messages: string[] = [];
  for await (const line of createInterface({ input: start(how).stdout })) messages.push((JSON.parse(line) as { msg: string }).msg);
  return messages;
};

describe('the log of a process', () => {
  it.each(['end', 'exit', 'throw'])('is complete when the process ends: %s', async (how) => {
    expect(await messagesOf(how)).toEqual(['one', 'two', 'three']);
  });

  it('is complete up to the last warning after kill -9', async () => {
    expect(await messagesOf('warn')).toEqual(['one', 'two', 'three', 'four']);
  });

  it('is written while the process runs', async () => {
    const child = start('stay');
    const messages: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      messages.push((JSON.parse(line) as { msg: string }).msg);
      if (messages.length === 3) child.kill();
    }
    expect(messages).toEqual(['one', 'two', 'three']);
  });

  it('does not disturb the process when its output is closed', async () => {
    const child = start('outlive');
    child.stdout.destroy();
    expect((await once(child, 'exit'))[0]).toBe(7);
  });
});
