/**
 * `npm run start:dev`: runs `npm start`'s process from the sources in this folder and starts it again after each saved change. Only
 * the changed file is transpiled, so that the new answer is there within two seconds; types are checked by `npm run typecheck` and by
 * the editor. A changed DTO takes the whole build, because the API documentation comes from a plugin of that build.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = 'dist/apps/standalone/src/main.js';
const FOLDERS = ['apps', 'libs', 'examples'];
/** Editors write a file in several steps; this long after the last one the file is complete. */
const SETTLE_MS = 60;

/** The options of the build. A single file is transpiled without its package, so its module format is told. */
const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as { config: { compilerOptions: object } };
const { rootDir: _, ...buildOptions } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options;
const options: ts.CompilerOptions = { ...buildOptions, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

const say = (text: string): void => void process.stdout.write(`[start:dev] ${text}\n`);

const run = (command: string, ...parameters: string[]): boolean =>
  spawnSync(command, parameters, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

const buildServices = (): boolean => run('node', 'node_modules/typescript7/bin/tsc', '-p', 'apps/standalone/tsconfig.app.json', '--noCheck');
const buildPages = (): boolean => run('node', 'tools/pages/build-pages.ts');

/** What a changed file is part of. Tests and generated files are part of nothing that runs. */
const partOf = (path: string): 'source' | 'dto' | 'page' | undefined => {
  if (/\.(spec|contract)\.ts$|\/(test|testing)\//.test(path)) return undefined;
  if (/^(apps\/login-bff\/page|apps\/device-api\/phone|examples\/relying-party\/page|libs\/web-page\/browser)\//.test(path)) return 'page';
  if (path.endsWith('.dto.ts')) return 'dto';
  return /\/src\/.*\.ts$/.test(path) ? 'source' : undefined;
};

/** Writes the file's JavaScript where the build writes it. A file that was deleted is left in `dist`: nothing imports it. */
const transpile = async (path: string): Promise<boolean> => {
  const source = await readFile(join(ROOT, path), 'utf8').catch(() => undefined);
  if (source === undefined) return true;
  const {
    outputText,
    sourceMapText = '',
    diagnostics = [],
  } = ts.transpileModule(source, { compilerOptions: options, fileName: path, reportDiagnostics: true });
  if (diagnostics.length > 0) {
    say(ts.formatDiagnostics(diagnostics, { getCurrentDirectory: () => ROOT, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }));
    return false;
  }
  const target = join(ROOT, 'dist', path.replace(/\.ts$/, '.js'));
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, outputText);
  await writeFile(`${target}.map`, sourceMapText);
  return true;
};

const buildChanged = async (paths: readonly string[]): Promise<boolean> => {
  const parts = new Set(paths.map(partOf));
  if (parts.has('page') && !buildPages()) return false;
  if (parts.has('dto')) return buildServices();
  const written = await Promise.all(paths.filter((path) => partOf(path) === 'source').map(transpile));
  return written.every(Boolean);
};

let service: ChildProcess | undefined;
let stopping = false;

const startService = (): void => {
  const started = spawn('node', ['--enable-source-maps', MAIN], { cwd: ROOT, stdio: 'inherit' });
  service = started;
  started.on('exit', (code, signal) => {
    if (stopping) process.exit(code ?? 0);
    if (service === started && signal !== 'SIGKILL') say(`the process ended with ${code ?? signal}; waiting for a change`);
  });
};

/** Kills the process at once: everything that it acknowledged is on disk, and the next process opens it. */
const restartService = async (): Promise<void> => {
  const running = service;
  if (running?.exitCode === null && running.signalCode === null) {
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }
  if (!stopping) startService();
};

const changed = new Set<string>();
let timer: NodeJS.Timeout | undefined;
let working: Promise<void> = Promise.resolve();

const takeChanges = async (): Promise<void> => {
  const paths = [...changed];
  changed.clear();
  if (paths.length === 0) return;
  say(`changed: ${paths.join(', ')}`);
  if (await buildChanged(paths)) await restartService();
  else say('the build failed; the process from before keeps running');
};

const noteChange = (path: string): void => {
  if (partOf(path) === undefined) return;
  changed.add(path);
  clearTimeout(timer);
  timer = setTimeout(() => {
    working = working.then(takeChanges);
  }, SETTLE_MS);
};

// The terminal sends its interrupt to the service too; a second one there exits at once.
process.on('SIGINT', () => {
  stopping = true;
  if (service === undefined || service.exitCode !== null || service.signalCode !== null) process.exit(0);
});
process.on('SIGTERM', () => {
  stopping = true;
  if (!service?.kill('SIGTERM')) process.exit(0);
});

if (!buildServices() || !buildPages()) process.exit(1);
for (const folder of FOLDERS) {
  watch(join(ROOT, folder), { recursive: true }, (_event, name) => name && noteChange(`${folder}/${name}`));
}
startService();
