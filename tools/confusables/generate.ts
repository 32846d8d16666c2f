/**
 * Writes the table of characters that look alike, from the data of UTS 39 (https://www.unicode.org/reports/tr39/#Data_Files):
 * `npm run confusables -- <file>`, with Unicode's confusables.txt, or with the data.json that the npm package unhomoglyph makes of it.
 * The text of the file before and after the table stays. A changed table gives names other skeletons: then raise `RULES` in
 * libs/domain/relying-party/src/domain/name/skeleton.ts too.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const TARGET = 'libs/domain/relying-party/src/domain/name/confusables.ts';
const LINE = 130;

const [, , file = ''] = process.argv;
const content = readFileSync(file, 'utf8');

const characters = (codePoints: string): string =>
  codePoints
    .trim()
    .split(/\s+/)
    .map((point) => String.fromCodePoint(parseInt(point, 16)))
    .join('');

const pairs: readonly (readonly [string, string])[] = file.endsWith('.json')
  ? Object.entries(JSON.parse(content) as Record<string, string>)
  : content
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .filter((line) => /^[0-9A-F]/.test(line))
      .map((line) => line.split(';') as [string, string])
      .map(([source, target]) => [characters(source), characters(target)]);

/** Names are in NFKC before they are looked up in NFD: a character that either form replaces is never looked up. */
const isReached = (source: string): boolean => [...source].length === 1 && source.normalize('NFKC').normalize('NFD') === source;

const hex = (text: string): string => Array.from(text, (character) => character.codePointAt(0)!.toString(16)).join(' ');

const sources = new Map<string, string[]>();
for (const [source, target] of pairs) {
  const prototype = target.normalize('NFD');
  if (isReached(source) && source !== prototype) sources.set(prototype, [...(sources.get(prototype) ?? []), source]);
}
const byFirst = (one: string, other: string): number => one.codePointAt(0)! - other.codePointAt(0)!;
const groups = [...sources]
  .map(([prototype, looking]): [string, string[]] => [prototype, looking.sort(byFirst)])
  .sort(([, [one = '']], [, [other = '']]) => byFirst(one, other))
  .map(([prototype, looking]) => `${looking.map(hex).join(' ')}=${hex(prototype)}`);

const lines: string[] = [];
let line = '';
for (const word of groups.join(';').split(/(?<=[ ;=])/)) {
  if (line.length + word.length > LINE) {
    lines.push(line);
    line = '';
  }
  line += word;
}
lines.push(line);

const before = readFileSync(TARGET, 'utf8');
writeFileSync(
  TARGET,
  before.replace(/(?<=CONFUSABLES = \[\n).*(?=\n\]\.join)/s, () => lines.map((text) => `  '${text}',`).join('\n')),
);
