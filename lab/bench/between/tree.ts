import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { TOOLS_CACHE } from '../../../testkit/programs/go/go.ts';
import { compilationOf, type Scripts, type Start, startOf } from './scripts.js';

/** The files of a commit, built. Where they lie is asked of the commit itself: another one may have another layout. */
export interface Tree {
  /** The first characters of the commit's name. */
  readonly name: string;
  readonly folder: string;
  /** Its `npm start`, after the build. */
  readonly start: Start;
  /** The compiled `container-process.ts` of its own benchmarks; undefined for a commit that has none. */
  readonly containerProcess: string | undefined;
}

const LOCK = 'package-lock.json';
const CONTAINER_PROCESS = 'container-process.js';

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** This checkout, as `npm run bench` has built it, with changes that are in no commit. */
export const thisCheckout = (): Tree => {
  const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
  return builtTree(`${git('rev-parse', '--short=8', 'HEAD')}${changed ? ' with changes' : ''}`, resolve('.'));
};

/** A commit of this repository, built once in the user's cache folder: with this checkout's packages when it locks the same ones, otherwise with its own. */
export const treeOf = (commit: string): Tree => {
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`);
  const folder = join(TOOLS_CACHE, `commit-${hash}`);
  if (!existsSync(folder)) build(hash, folder);
  else packages(folder);
  return builtTree(hash.slice(0, 8), folder);
};

const builtTree = (name: string, folder: string): Tree => {
  const scripts = scriptsOf(folder);
  const compiled = join(folder, compilationOf(scripts).folder);
  const containerProcess = readdirSync(compiled, { recursive: true, encoding: 'utf8' }).find((path) => basename(path) === CONTAINER_PROCESS);
  return { name, folder, start: startOf(scripts), containerProcess: containerProcess && join(compiled, containerProcess) };
};

const scriptsOf = (folder: string): Scripts => (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: Scripts }).scripts;

const build = (hash: string, folder: string): void => {
  const built = join(TOOLS_CACHE, `new-commit-${process.pid}`);
  const env = { ...process.env, PATH: `${join(built, 'node_modules/.bin')}:${process.env['PATH']}` };
  const run = (program: string, ...args: readonly string[]): unknown =>
    execFileSync(program, args, { cwd: built, env, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(built, { recursive: true });
  try {
    const archive = join(built, 'commit.tar');
    git('archive', '--output', archive, hash);
    run('tar', '-xf', archive);
    rmSync(archive);
    packages(built);
    run('sh', '-c', compilationOf(scriptsOf(built)).command);
    renameSync(built, folder);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
};

const packages = (folder: string): void => {
  const modules = join(folder, 'node_modules');
  const found = lstatSync(modules, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  // a link leads to the checkout that built the commit, which may be gone or have other packages by now
  if (found) rmSync(modules);
  if (readFileSync(join(folder, LOCK)).equals(readFileSync(LOCK))) symlinkSync(resolve('node_modules'), modules);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};
