import { execFileSync } from 'node:child_process';

const git = (input: string, ...command: readonly string[]): Buffer => execFileSync('git', command, { input, maxBuffer: 2 ** 30 });

/** The paths of all files of a commit. */
export const pathsAt = (commit: string): readonly string[] =>
  git('', 'ls-tree', '-r', '-z', '--name-only', commit).toString().split('\0').filter(Boolean);

/** The text of files of a commit, by path. Throws when git has no such file. */
export const textsAt = (commit: string, paths: readonly string[]): ReadonlyMap<string, string> => {
  const output = git(paths.map((path) => `${commit}:${path}\n`).join(''), 'cat-file', '--batch');
  let at = 0;
  return new Map(
    paths.map((path): [string, string] => {
      const header = output.subarray(at, output.indexOf('\n', at)).toString();
      const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(header) ?? [];
      if (size === undefined) throw new Error(header);
      const begin = at + header.length + 1;
      at = begin + Number(size) + 1;
      return [path, output.subarray(begin, at - 1).toString()];
    }),
  );
};
