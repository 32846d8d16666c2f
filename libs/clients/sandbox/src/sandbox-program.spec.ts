import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';

import { SandboxError } from './sandbox-error.js';
import { SandboxProgram } from './sandbox-program.js';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A program in place of the sandbox. */
const program = (name: string, source: string): string => {
  const file = join(folder, `${name}.cjs`);
  writeFileSync(file, source);
  return file;
};

const READY = `process.stdout.write(JSON.stringify({ url: 'http://localhost:1', clients: [] }) + '\\n');`;
const UNTIL_STDIN_ENDS = `process.stdin.on('close', () => process.exit(0)).resume();`;

describe('the program of the sandbox', () => {
  it('is ready when it says its address, in however many pieces, and ends when it is stopped', async () => {
    const line = JSON.stringify({ url: 'http://localhost:1', clients: [] });
    const slow = program(
      'slow',
      `${UNTIL_STDIN_ENDS} process.stdout.write('${line.slice(0, 9)}'); setImmediate(() => process.stdout.write('${line.slice(9)}\\n'));`,
    );
    const started = await SandboxProgram.start(slow, []);
    expect(started.started).toEqual({ url: 'http://localhost:1', clients: [] });
    await started.stop();
    await started.stop(); // It has ended already.
  });

  it('gets the arguments and asks for JSON, and gets none of the NODE_OPTIONS of the runner', async () => {
    const tells = program(
      'tells',
      `${UNTIL_STDIN_ENDS} process.stdout.write(JSON.stringify({ url: process.argv.slice(2).join(' '), clients: [process.env.NODE_OPTIONS ?? 'none'] }) + '\\n');`,
    );
    const started = await SandboxProgram.start(tells, ['--port', '0']);
    expect(started.started).toEqual({ url: '--port 0 --json', clients: ['none'] });
    expect(process.env['NODE_OPTIONS']).toBeDefined();
    await started.stop();
  });

  it('says as much as it likes without waiting for a reader', async () => {
    const talks = program(
      'talks',
      `${UNTIL_STDIN_ENDS} process.stderr.write('x'.repeat(1e6)); ${READY} process.stdout.write('x'.repeat(1e6)); process.stderr.write('x'.repeat(1e6));`,
    );
    const started = await SandboxProgram.start(talks, []);
    await started.stop();
  });

  it.each([
    [
      'a Node that is too old',
      `process.stderr.write('The Countersign sandbox needs Node 22.13 or later.\\n'); process.exitCode = 1;`,
      'it ended with 1\nThe Countersign sandbox needs Node 22.13 or later.',
    ],
    ['a signal', `process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 1e6);`, 'it ended with SIGTERM'],
    ['another text', `process.stdout.write('Hello\\n');`, 'it said something else than its address: Hello'],
    ['other JSON', `process.stdout.write('{"url":1}\\n');`, 'it said something else than its address: {"url":1}'],
    ['null', `process.stdout.write('null\\n');`, 'it said something else than its address: null'],
  ])('does not start with %s, and the error says why', async (name, source, why) => {
    const failed = SandboxProgram.start(program(name.replaceAll(' ', '-'), source), []);
    await expect(failed).rejects.toThrow(new SandboxError(`the sandbox did not start: ${why}`));
  });

  it('has failed, and is killed, when it says nothing in time', async () => {
    const silent = program('silent', `setTimeout(() => {}, 1e6);`);
    await expect(SandboxProgram.start(silent, [], 500)).rejects.toThrow('the sandbox did not start: it was not ready after 0.5 s');
  });
});
