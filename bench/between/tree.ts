import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { TOOLS_CACHE } from '../../tools/go/go.ts';

/** The files of a commit, built. */
export interface Tree {
  /** The first characters of the commit's name. */
  readonly name: string;
  readonly folder: string;
  /** The flags of Node in its `npm start`. */
  readonly startFlags: readonly string[];
  /** The compiled `container-process.ts` of this checkout, over the tree's libraries. */
  readonly containerProcess: string;
}

const LOCK = 'package-lock.json';
/** The compiled files of this checkout that run over the libraries of another one. */
const COMPILED = 'dist/bench';
const LENT = ['container-process.js', 'container-orders.js', 'in-turn.js'];

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** This checkout, as `npm run bench` has built it, with changes that are in no commit. */
export const thisCheckout = (): Tree => {
  const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
  return {
    name: `${git('rev-parse', '--short=8', 'HEAD')}${changed ? ' with changes' : ''}`,
    folder: resolve('.'),
    startFlags: startFlagsOf('.'),
    containerProcess: resolve(COMPILED, LENT[0]!),
  };
};

/** A commit of this repository, built once in the user's cache folder: with this checkout's packages when it locks the same ones, otherwise with its own. */
export const treeOf = (commit: string): Tree => {
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`);
  const folder = join(TOOLS_CACHE, `commit-${hash}`);
  if (!existsSync(folder)) build(hash, folder);
  else packages(folder);
  const lent = join(folder, 'dist/lent');
  mkdirSync(lent, { recursive: true });
  for (const file of LENT) cpSync(join(COMPILED, file), join(lent, file));
  return { name: hash.slice(0, 8), folder, startFlags: startFlagsOf(folder), containerProcess: join(lent, LENT[0]!) };
};

const startFlagsOf = (folder: string): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: Readonly<Record<string, string>> };
  const [, flags = ''] = /exec node (.*?)dist\//.exec(scripts['start'] ?? '') ?? [];
  return flags.split(' ').filter(Boolean);
};

const build = (hash: string, folder: string): void => {
  const built = join(TOOLS_CACHE, `new-commit-${process.pid}`);
  const run = (program: string, ...args: readonly string[]): unknown =>
    execFileSync(program, args, { cwd: built, stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(built, { recursive: true });
  try {
    const archive = join(built, 'commit.tar');
    git('archive', '--output', archive, hash);
    run('tar', '-xf', archive);
    rmSync(archive);
    packages(built);
    run('npm', 'run', '--silent', 'build');
    // with the libraries' helpers for tests
    run('node', 'node_modules/typescript7/bin/tsc', '-p', 'bench');
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
