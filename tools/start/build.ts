/**
 * The build of `npm start`: services and pages at the same time, and a line for each step. It does not check types; `npm run build` and
 * `npm run typecheck` do. A build of unchanged sources takes a second.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const COMPILER = join(ROOT, 'node_modules/typescript7/bin/tsc');

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Runs a step, says how long it took, and shows its output if it failed. */
const step = async (name: string, ...parameters: readonly string[]): Promise<boolean> => {
  const began = performance.now();
  const child = spawn(process.execPath, parameters, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) say(`  ${name}: built in ${seconds(began)}`);
  else process.stderr.write(`  ${name}: the build failed\n${Buffer.concat(output).toString()}`);
  return code === 0;
};

if (!existsSync(COMPILER)) {
  process.stderr.write('The packages are missing: run `npm install` first.\n');
  process.exit(1);
}
const began = performance.now();
say('Countersign: building the services and the pages.');
const built = await Promise.all([
  step('services', COMPILER, '-p', 'apps/standalone/tsconfig.app.json', '--noCheck'),
  step('pages', 'tools/pages/build-pages.ts'),
]);
if (built.includes(false)) process.exit(1);
say(`Countersign: built in ${seconds(began)}, starting the services.`);
