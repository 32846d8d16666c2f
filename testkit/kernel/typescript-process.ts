import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

// Node resolves no `.js` to a `.ts`, and the sources import each other as compiled files do.
const RESOLVE_SOURCES = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ resolve: (specifier, context, next) =>
  next(context.parentURL?.endsWith('.ts') && specifier.startsWith('.') ? specifier.replace(/js$/, 'ts') : specifier, context) });`;

/** Arguments by which Node runs our TypeScript sources, with their types stripped: the program and its own arguments follow. */
export const TYPESCRIPT_ARGUMENTS = [
  '--experimental-transform-types',
  '--disable-warning=ExperimentalWarning',
  '--conditions=source',
  '--import',
  RESOLVE_SOURCES.replaceAll('\n', ''),
] as const;

/** Kills a process by SIGKILL, or as told, when it has written this many lines. Resolves when it has ended, with all lines that it has written. */
export const killAfterLines = async (child: ChildProcess, lines: number, kill = (): unknown => child.kill('SIGKILL')): Promise<string[]> => {
  const output: string[] = [];
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout! })) {
    if (output.push(line) === lines) kill();
  }
  await exit;
  return output;
};
