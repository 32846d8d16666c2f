import type { SourceTree } from './source-tree.ts';

/** Lines of code that stand in several places. */
export interface Passage {
  readonly lines: number;
  /** `path:line`, of the first line in each place. */
  readonly places: readonly string[];
}

/** Equal lines, from which on two places are copies. */
export const LEAST_LINES = 6;

interface Line {
  readonly path: string;
  /** Of the file, from 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * The passages of at least {@link LEAST_LINES} equal lines that stand in two or more places of the files, the longest first. Counted are lines of code: blank ones,
 * comments, imports and lines without a letter, such as `});`, are left out, and so are indents. A passage is as long as its places agree, and none of it is
 * counted in a second passage. Generated files are left out: their source is elsewhere.
 */
export const passagesOf = (tree: SourceTree, paths: readonly string[]): readonly Passage[] => {
  const files = paths.filter((path) => !tree.text(path).startsWith('// Generated from ')).map((path) => codeOf(tree, path));
  const windows = new Map<string, { file: number; at: number }[]>();
  files.forEach((lines, file) => {
    for (let at = 0; at + LEAST_LINES <= lines.length; at += 1) {
      const key = textOf(lines, at, LEAST_LINES);
      windows.set(key, [...(windows.get(key) ?? []), { file, at }]);
    }
  });
  const counted = new Set<string>();
  const passages: Passage[] = [];
  for (const places of windows.values()) {
    const apart = withoutOverlap(places).filter(({ file, at }) => !counted.has(`${file} ${at}`));
    if (apart.length < 2) continue;
    const length = lengthOf(apart, files);
    for (const { file, at } of apart) for (let line = 0; line < length; line += 1) counted.add(`${file} ${at + line}`);
    passages.push({ lines: length, places: apart.map(({ file, at }) => `${files[file]![at]!.path}:${files[file]![at]!.number}`) });
  }
  return passages.toSorted((one, other) => other.lines - one.lines);
};

const codeOf = (tree: SourceTree, path: string): readonly Line[] => {
  const code = tree
    .text(path)
    // a comment or an import of several lines keeps its line ends, so that the numbers stay right
    .replaceAll(/\/\*.*?\*\/|^(?:import|export)\s[^;]*?\sfrom\s'[^']*';/gms, (text) => text.replaceAll(/[^\n]/g, ''));
  return code
    .split('\n')
    .map((text, index) => ({ path, number: index + 1, text: text.replace(/(^|\s)\/\/ .*$/, '').trim() }))
    .filter(({ text }) => /[a-z]/i.test(text));
};

const textOf = (lines: readonly Line[], at: number, length: number): string =>
  lines
    .slice(at, at + length)
    .map(({ text }) => text)
    .join('\n');

/** Without the places that begin inside the one before. */
const withoutOverlap = (places: readonly { file: number; at: number }[]): readonly { file: number; at: number }[] =>
  places.reduce<{ file: number; at: number }[]>((apart, place) => {
    const last = apart.at(-1);
    return last && last.file === place.file && place.at < last.at + LEAST_LINES ? apart : [...apart, place];
  }, []);

/** How many lines all places have in common. */
const lengthOf = (places: readonly { file: number; at: number }[], files: readonly (readonly Line[])[]): number => {
  for (let length = LEAST_LINES; ; length += 1) {
    const next = places.map(({ file, at }) => files[file]![at + length]?.text);
    const overlaps = places.some(({ file, at }, index) => places[index + 1]?.file === file && places[index + 1]!.at <= at + length);
    if (overlaps || next[0] === undefined || !next.every((text) => text === next[0])) return length;
  }
};
