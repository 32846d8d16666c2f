/**
 * `npm run start:dev`: runs `npm start`'s process from the sources in this folder and starts it again after each saved change. Only the
 * changed file is transpiled, so that the new answer is there within two seconds. `npm run typecheck` and the editor check types.
 */
import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pageFoldersOf, partOf } from './changed-part.ts';
import { ServiceProcesses } from './service-processes.ts';
import { transpile } from './transpile.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['apps', 'libs', 'examples'];
/** Editors write a file in several steps; this long after the last one the file is complete. */
const SETTLE_MS = 60;

const say = (text: string): void => void process.stdout.write(`[start:dev] ${text}\n`);

const run = (command: string, ...parameters: string[]): boolean =>
  spawnSync(command, parameters, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

const buildServices = (): boolean => run('node', 'node_modules/typescript7/bin/tsc', '-p', 'apps/standalone/tsconfig.app.json', '--noCheck');
const buildPages = (...folders: string[]): boolean => run('node', 'tools/pages/build-pages.ts', ...folders);

if (!buildServices() || !buildPages()) process.exit(1);
const processes = new ServiceProcesses(say);
let working: Promise<void> = processes.restart();

/** Writes the file's JavaScript to the path that the build uses. A file that was deleted is left in `dist`: nothing imports it. */
const rebuild = async (path: string): Promise<boolean> => {
  const source = await readFile(join(ROOT, path), 'utf8').catch(() => undefined);
  if (source === undefined) return true;
  const { javaScript, sourceMap, faults } = transpile(path, source);
  if (faults !== '') {
    say(faults);
    return false;
  }
  const target = join(ROOT, 'dist', path.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await Promise.all([writeFile(target, javaScript), writeFile(`${target}.map`, sourceMap)]);
  return true;
};

const changed = new Set<string>();
let changedAt = 0;
let timer: NodeJS.Timeout | undefined;

const takeChanges = async (): Promise<void> => {
  const paths = [...changed];
  changed.clear();
  if (paths.length === 0) return;
  say(`changed: ${paths.join(', ')}`);
  const pagesAreBuilt = !paths.some((path) => partOf(path) === 'page') || buildPages(...pageFoldersOf(paths));
  const written = await Promise.all(paths.filter((path) => partOf(path) !== 'page').map(rebuild));
  if (!pagesAreBuilt || !written.every(Boolean)) return say('the build failed; the process from before keeps running');
  await processes.restart();
  say(`restarted ${Math.round(performance.now() - changedAt)} ms after the change`);
};

const noteChange = (path: string): void => {
  if (partOf(path) === undefined) return;
  if (changed.size === 0) changedAt = performance.now();
  changed.add(path);
  clearTimeout(timer);
  timer = setTimeout(() => {
    working = working.then(takeChanges);
  }, SETTLE_MS);
};

// The terminal sends its interrupt to the service too; a second one there exits at once.
process.on('SIGINT', () => processes.stop());
process.on('SIGTERM', () => processes.stop('SIGTERM'));
for (const folder of FOLDERS) {
  watch(join(ROOT, folder), { recursive: true }, (_event, name) => name && noteChange(`${folder}/${name}`));
}
