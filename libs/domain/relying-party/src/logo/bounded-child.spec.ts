import { closeSync, openSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '#testkit/kernel/eventually';

import { BoundedChild, type ChildLimits, residentMemory } from './bounded-child.js';

const MIB = 1024 * 1024;
const LIMITS: ChildLimits = { time: 60_000, processorTime: 30, memory: 160 * MIB, output: 64 * 1024 };
/** What the kernel's limit leaves, whatever happens between two looks. Bytes. */
const MOST_RESIDENT = 400 * MIB;
/** `answer` writes a frame. */
const FRAMES = `import * as fs from 'node:fs';
const answer = (text) => {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(Buffer.byteLength(text));
  process.stdout.write(Buffer.concat([head, Buffer.from(text)]));
};`;
const HANGS = 'for (;;);';
const WAITS = 'setInterval(() => undefined, 1_000);';
const FILLS_BUFFERS = 'const held = []; for (;;) held.push(Buffer.alloc(4 * 1024 * 1024, 1));';
const FILLS_THE_HEAP = 'const held = []; for (;;) held.push(new Array(1000).fill(held.length));';

let directory: string;
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'bounded-child-')));
});
afterAll(() => rm(directory, { recursive: true }));

interface Given extends Partial<ChildLimits> {
  readonly input?: Buffer;
  readonly reads?: readonly string[];
  readonly memoryOf?: typeof residentMemory;
}

const children: BoundedChild[] = [];
afterEach(() => Promise.all(children.splice(0).map((child) => child.stop())));

let programs = 0;
const start = async (source: string, { reads = [], memoryOf, ...limits }: Given = {}) => {
  const path = join(directory, `${++programs}.mjs`);
  await writeFile(path, `${FRAMES}\n${source}`);
  const child = new BoundedChild({ path, reads, argument: 'argument' }, { ...LIMITS, ...limits }, memoryOf);
  children.push(child);
  return child;
};
const run = async (source: string, given: Given = {}) => (await start(source, given)).ask(given.input ?? Buffer.from('question'));
const saidBy = async (source: string, given: Given = {}): Promise<string> => {
  const answer = await run(`process.stdin.once('data', async () => { ${source} });`, given);
  return 'output' in answer ? answer.output.toString() : JSON.stringify(answer);
};

/** Looks at the memory, and keeps the most that was seen. */
const watch = (look: typeof residentMemory) => {
  const seen = { most: 0, pids: new Set<number>() };
  const memoryOf = (pid: number): number | undefined => {
    seen.pids.add(pid);
    seen.most = Math.max(seen.most, residentMemory(pid) ?? 0);
    return look(pid);
  };
  return { seen, memoryOf };
};

describe('a bounded child process', () => {
  it('has the lowest priority, so that a picture takes no processor time from the service', async () => {
    const { seen, memoryOf } = watch(residentMemory);
    const child = await start(`process.stdin.on('data', () => setTimeout(() => answer(String(process.pid)), 100));`, { memoryOf });
    const answered = (await child.ask(Buffer.from('question'))) as { output: Buffer };
    expect([...seen.pids].map(String)).toEqual([answered.output.toString()]);
    expect(getPriority(Number(answered.output))).toBe(constants.priority.PRIORITY_LOW);
  });

  it('answers questions one after the other', async () => {
    const child = await start(`process.stdin.on('data', (bytes) => answer(process.argv[2] + bytes.subarray(4)));`);
    expect(await child.ask(Buffer.from(' one'))).toEqual({ output: Buffer.from('argument one') });
    expect(await child.ask(Buffer.from(' two'))).toEqual({ output: Buffer.from('argument two') });
    expect(child.ended).toBe(false);
    await child.stop();
    expect(child.ended).toBe(true);
    expect(await child.ask(Buffer.of())).toEqual({ killed: 'stopped' });
  });

  it('that ends by itself answers its exit code, also when it has not read the question', async () => {
    const child = await start('process.exit(4)');
    expect(await child.ask(Buffer.alloc(8 * MIB))).toEqual({ code: 4 });
    expect(child.ended).toBe(true);
    expect(await child.ask(Buffer.of())).toEqual({ code: 4 });
  });

  it('has none of the settings of its parent, and no other open file', async () => {
    const secret = join(directory, 'secret');
    await writeFile(secret, 'secret');
    const file = openSync(secret, 'r');
    try {
      expect(await saidBy('answer(Object.keys(process.env).filter((name) => name !== "PWD").join())')).toBe('');
      const readLink = '(fd) => { try { return fs.readlinkSync(`/proc/self/fd/${fd}`) } catch { return "" } }';
      const files = await saidBy(`answer(fs.readdirSync('/proc/self/fd').map(${readLink}).join())`, { reads: ['/proc/*'] });
      expect(files).toMatch(/socket:|pipe:/);
      expect(files).not.toContain(secret);
    } finally {
      closeSync(file);
    }
  });

  it('may not read or write other files, and may not start a process', async () => {
    const tries = [
      `fs.readFileSync('/etc/passwd')`,
      `fs.writeFileSync('${directory}/written', '')`,
      `(await import('node:child_process')).execSync('true')`,
    ];
    for (const attempt of tries) {
      expect(await saidBy(`try { ${attempt}; answer('done') } catch ({ code }) { answer(code) }`)).toBe('ERR_ACCESS_DENIED');
    }
  });

  it.each([
    ['that waits for nothing', WAITS],
    ['that works for ever', HANGS],
  ])('%s is killed when its time is over', async (_, source) => {
    const { seen, memoryOf } = watch(residentMemory);
    expect(await run(source, { time: 500, memoryOf })).toEqual({ killed: 'time' });
    for (const pid of seen.pids) expect(residentMemory(pid)).toBeUndefined();
  });

  it('is ended by the kernel when its processor time is over, whatever its parent does', async () => {
    expect(await run(HANGS, { processorTime: 1 })).toEqual({ killed: 'signal' });
  });

  it('that fills buffers, which count into no heap, is killed for its resident memory', async () => {
    const { seen, memoryOf } = watch(residentMemory);
    const before = process.memoryUsage.rss();
    expect(await run(FILLS_BUFFERS, { memoryOf })).not.toHaveProperty('output');
    expect(seen.most).toBeGreaterThan(32 * MIB);
    expect(seen.most).toBeLessThan(MOST_RESIDENT);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MIB);
  });

  it('that is not looked at is ended at the limit of the kernel', async () => {
    const { seen, memoryOf } = watch(() => undefined);
    expect(await run(FILLS_BUFFERS, { memoryOf })).not.toHaveProperty('output');
    expect(seen.most).toBeLessThan(MOST_RESIDENT);
  });

  it('that fills the heap ends', async () => {
    const { seen, memoryOf } = watch(residentMemory);
    expect(await run(FILLS_THE_HEAP, { memoryOf })).not.toHaveProperty('output');
    expect(seen.most).toBeLessThan(MOST_RESIDENT);
  });

  it.each([
    ['a longer one than allowed', 'answer("x".repeat(100_000))'],
    ['one that says to be longer', 'process.stdout.write(Buffer.alloc(4, 255))'],
  ])('is killed for its answer: %s', async (_, source) => {
    const before = process.memoryUsage.rss();
    expect(await saidBy(source)).toBe('{"killed":"output"}');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MIB);
  });

  it('is killed when it answers without a question', async () => {
    const child = await start(`process.on('SIGUSR2', () => answer('two')); process.stdin.once('data', () => answer(String(process.pid)));`);
    const first = await child.ask(Buffer.of());
    process.kill(Number('output' in first && first.output.toString()), 'SIGUSR2');
    await eventually(() => child.ended);
  });

  it('that goes on writing for ever is killed', async () => {
    expect(await run('const bytes = Buffer.alloc(65_536, 1); const write = () => process.stdout.write(bytes, write); write();')).toEqual({
      killed: 'output',
    });
  });

  it('is killed when it is stopped, and the question ends', async () => {
    const { seen, memoryOf } = watch((pid) => {
      for (const child of children) void child.stop();
      return residentMemory(pid);
    });
    const child = await start(WAITS, { memoryOf });
    expect(await child.ask(Buffer.of())).toEqual({ killed: 'stopped' });
    for (const pid of seen.pids) expect(residentMemory(pid)).toBeUndefined();
  });
});
