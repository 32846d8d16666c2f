import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The texts of a page: one file for each language, `messages/<language>.ts`, which exports a flat record of keys and texts. The
 * English file is the list of keys.
 */
type Catalogue = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The letters that each language has beside a to z. A letter of another language is a text in the wrong file. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  en: /^[a-z]$/,
  et: /^[a-zäöõüšž]$/,
  de: /^[a-zäöüß]$/,
  ru: /^[а-яёa-z]$/,
  lv: /^[a-zāčēģīķļņšūž]$/,
  lt: /^[a-ząčęėįšųūž]$/,
};

/**
 * Everything that is wrong with a catalogue: missing, superfluous, empty and unused keys, placeholders that differ from the
 * English text, and signs that belong to another language or to a typewriter.
 *
 * @param sources the code that uses the texts, without the catalogue itself (`readSources`)
 */
export const catalogueFaults = (catalogue: Catalogue, sources: string): readonly string[] => {
  const english = catalogue['en'] ?? {};
  const used = wordsOf(sources);
  const unused = Object.keys(english).filter((key) => !used.has(key));
  return [
    ...unused.map((key) => `${key}: no source uses it`),
    ...Object.entries(catalogue).flatMap(([language, texts]) => [...keyFaults(language, texts, english), ...textFaults(language, texts, english)]),
  ];
};

/** The TypeScript sources below a folder, without tests and without `messages/`. */
export const readSources = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !/(^|[\\/])messages[\\/]/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');

/** A key is used as a property (`texts.title`) or by its name (`'title'`). */
const wordsOf = (sources: string): ReadonlySet<string> =>
  new Set([...sources.matchAll(/\.([a-zA-Z]\w*)\b|'([a-zA-Z]\w*)'/g)].map(([, property, name]) => property ?? name ?? ''));

const keyFaults = (language: string, texts: Readonly<Record<string, string>>, english: Readonly<Record<string, string>>): readonly string[] => [
  ...Object.keys(english).flatMap((key) => (key in texts ? [] : [`${language}: ${key} is missing`])),
  ...Object.keys(texts).flatMap((key) => (key in english ? [] : [`${language}: ${key} is in no other language`])),
];

const textFaults = (language: string, texts: Readonly<Record<string, string>>, english: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(texts).flatMap(([key, text]) => {
    const faults: string[] = [];
    if (text.trim() === '') faults.push('is empty');
    if (slots(text) !== slots(english[key] ?? text)) faults.push(`has other placeholders than the English text: ${slots(text)}`);
    if (/["']|\.\.\./.test(text)) faults.push('has a quotation mark, an apostrophe or dots of a typewriter');
    const foreign = foreignLetters(language, text);
    if (foreign !== '') faults.push(`has letters of another language: ${foreign}`);
    return faults.map((fault) => `${language}: ${key} ${fault}`);
  });

const slots = (text: string): string =>
  [...text.matchAll(/\{[a-zA-Z]+\}/g)]
    .map(([slot]) => slot)
    .sort()
    .join(' ');

const foreignLetters = (language: string, text: string): string => {
  const own = LETTERS[language] ?? /./;
  const letters = text.replace(/\{[a-zA-Z]+\}/g, '').match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => !own.test(letter.toLowerCase())).join('');
};
