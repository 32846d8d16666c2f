import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const FRAME = /^\s+[0-9a-f]+ (.*) \((.*)\)$/;
/** `JS:*name file:///…/dist/libs/…:9:21`, as V8 names its functions for perf. */
const SCRIPT = /^JS:[*+^~']*(.*?) ?(?:file:\/\/)?((?:\/|node:)\S*?):\d+:\d+(?:\+0x.*)?$/;
const NATIVE = 'native ';
/** The most that are shown of a stack without JavaScript. */
const NATIVE_FRAMES = 4;
/** What every stack begins with. */
const ENTRY =
  /^(_start|__libc_start|main$|node::Start|node::NodeMainInstance|node::SpinEventLoop|uv_run|clone|start_thread|v8::Function::Call|v8::internal::(\(anonymous namespace\)::)?(Invoke|Execution)|Builtins_JSEntry|Builtins_JSEntryTrampoline)/;

/** Records the stacks of a process with perf while the work lasts. The process must run with `--perf-basic-prof` and `--interpreted-frames-native-stack`. */
export const recordStacks = async (pid: number, file: string, work: () => Promise<unknown>): Promise<readonly (readonly string[])[]> => {
  const recording = spawn('perf', ['record', '-F', '499', '-g', '-o', file, '-p', String(pid)], { stdio: 'ignore' });
  const ended = once(recording, 'exit');
  await Promise.race([work(), once(recording, 'error').then(([error]) => Promise.reject(error as Error))]);
  recording.kill('SIGINT');
  await ended;
  return readStacks(file);
};

const readStacks = async (file: string): Promise<readonly (readonly string[])[]> => {
  const reading = spawn('perf', ['script', '-i', file, '-F', 'comm,ip,sym,dso'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const stacks: string[][] = [];
  let stack: string[] | undefined;
  for await (const line of createInterface({ input: reading.stdout })) {
    if (line === '') stack = undefined;
    else if (!stack) stacks.push((stack = [`${NATIVE}thread ${line.trim()}`]));
    else {
      const [, symbol = ''] = FRAME.exec(line) ?? [];
      if (symbol !== '' && !ENTRY.test(symbol)) stack.splice(1, 0, nameOf(symbol));
    }
  }
  return stacks.map(readable);
};

/** `hmac libs/kernel/…`: our files by their path, those of packages and of Node by theirs. */
const nameOf = (symbol: string): string => {
  const [, name, path] = SCRIPT.exec(symbol) ?? [];
  if (path === undefined) return `${NATIVE}${symbol.replace(/\+0x[0-9a-f]+$/, '')}`;
  const short = path.replace(/^.*\/dist\/(?=(libs|apps|bench)\/)/, '').replace(/^.*\/(?=node_modules\/)/, '');
  return `${name === '' ? '(anonymous)' : name} ${short}`;
};

/**
 * Functions of JavaScript, and what the last of them called: the frames of V8 and libuv between them would make the picture unreadable. Of a stack without
 * JavaScript, the thread and the first native functions.
 */
const readable = ([thread = '', ...frames]: readonly string[]): readonly string[] => {
  const last = frames.findLastIndex((name) => !isNative(name));
  if (last < 0) return [thread, ...frames.slice(0, NATIVE_FRAMES)];
  const called = frames.slice(last + 1).find((name) => !name.startsWith(`${NATIVE}Builtins_`)) ?? frames[last + 1];
  const script = frames.slice(0, last + 1).filter((name, at, all) => !isNative(name) && name !== all[at - 1]);
  return [...script, ...(called === undefined ? [] : [called])];
};

const isNative = (name: string): boolean => name.startsWith(NATIVE);
