/**
 * Writes the letters that join and the viramas, from two data files of the Unicode Character Database (https://www.unicode.org/reports/tr44/):
 * `npm run joining-types -- <DerivedJoiningType.txt> <DerivedCombiningClass.txt>`. The text of the file before the first table stays.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const TARGET = 'libs/domain/relying-party/src/domain/name/joining-types.ts';
const LINE = 130;

/** Those that can be between letters of a name: no marks, no signs. */
const LETTER = /^\p{L}$/u;
const VIRAMA = '9';

type Range = readonly [first: number, last: number];

const [, , joiningTypes = '', combiningClasses = ''] = process.argv;

/** The code points that have one of the values: `0620 ; D`, `0626..0628 ; D # ...`. */
const pointsOf = (file: string, values: readonly string[]): readonly number[] =>
  readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .flatMap((line) => {
      const { first, last, value } = /^(?<first>[\dA-F]+)(?:\.\.(?<last>[\dA-F]+))?\s*;\s*(?<value>\w+)/.exec(line)?.groups ?? {};
      if (first === undefined || value === undefined || !values.includes(value)) return [];
      const from = parseInt(first, 16);
      return Array.from({ length: parseInt(last ?? first, 16) - from + 1 }, (_, at) => from + at);
    })
    .toSorted((one, other) => one - other);

const rangesOf = (points: readonly number[]): readonly Range[] =>
  points.reduce<Range[]>((ranges, point) => {
    const last = ranges.at(-1);
    return last?.[1] === point - 1 ? [...ranges.slice(0, -1), [last[0], point]] : [...ranges, [point, point]];
  }, []);

const hex = (point: number): string => point.toString(16).padStart(4, '0');

/** A constant of ranges in hex, `626-628 62a`, in lines. */
const table = (comment: string, name: string, points: readonly number[]): string => {
  const words = rangesOf(points).map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`));
  const lines = words.reduce<string[]>((all, word) => {
    const last = all.at(-1) ?? '';
    return last !== '' && last.length + word.length < LINE ? [...all.slice(0, -1), `${last} ${word}`] : [...all, word];
  }, []);
  return `/** ${comment} */\nexport const ${name} = [\n${lines.map((line) => `  '${line}',\n`).join('')}].join(' ');\n`;
};

const letters = (...types: readonly string[]): readonly number[] =>
  pointsOf(joiningTypes, types).filter((point) => LETTER.test(String.fromCodePoint(point)));

const head = readFileSync(TARGET, 'utf8').split('/** Letters')[0] ?? '';
writeFileSync(
  TARGET,
  head +
    [
      table('Letters that join the letter after them: Joining_Type D and L. Ranges of code points in hex.', 'JOIN_NEXT', letters('D', 'L')),
      table('Letters that join the letter before them: Joining_Type D and R.', 'JOIN_BEFORE', letters('D', 'R')),
      table('Signs that end a syllable without a vowel: Canonical_Combining_Class 9.', 'VIRAMAS', pointsOf(combiningClasses, [VIRAMA])),
    ].join('\n'),
);
