import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { PARTS } from './parts.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(ROOT, 'docs/security/mutation-tests.md'), 'utf8');
const measured = [...DOCUMENT.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file);

/** The files that a part changes. */
const filesOf = (mutate: readonly string[]): readonly string[] => {
  const left = mutate.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const wanted = mutate.filter((glob) => !glob.startsWith('!')).flatMap((glob) => globSync(glob, { cwd: ROOT }));
  return wanted.filter((file) => !left.some((glob) => matchesGlob(file, glob)));
};

describe('the parts of the mutation tests', () => {
  it.each(PARTS)('have rows in the table: $name', ({ mutate }) => {
    expect(filesOf(mutate).filter((file) => measured.includes(file))).not.toEqual([]);
  });

  it.each(PARTS.flatMap(({ name, mutate }) => mutate.filter((glob) => !/[*!{]/.test(glob)).map((file) => [name, file])))(
    'name files that exist: %s, %s',
    (_, file) => expect(globSync(file, { cwd: ROOT })).toEqual([file]),
  );

  it('are all that the table counts', () => {
    const all = PARTS.flatMap(({ mutate }) => filesOf(mutate));
    expect(measured.filter((file) => !all.includes(file))).toEqual([]);
  });
});

describe('the changes made by hand', () => {
  const rows = [...DOCUMENT.matchAll(/^\| [^|]+ \| `([^`]+)` \| `([^`]+)` \| `([^`]+)`/gm)].map(([, file = '', part = '', spec = '']) => ({
    file,
    part,
    spec,
  }));

  it('are all there', () => expect(rows).toHaveLength(22));

  it.each(rows)('of $file is judged by $spec, in the part $part', ({ file, part, spec }) => {
    const { mutate, roots, tests } = PARTS.find(({ name }) => name === part)!;
    expect(filesOf(mutate)).toContain(file);
    const near = roots.flatMap((root) => globSync(`${root}/**/${spec}`, { cwd: ROOT }));
    expect(near.filter((path) => tests.some((glob) => matchesGlob(path, glob)))).not.toEqual([]);
  });
});
