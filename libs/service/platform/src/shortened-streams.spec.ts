import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { shortenedStreams } from './shortened-streams.js';

const ROOT = resolve(import.meta.dirname, '../../../..');

interface Source {
  readonly path: string;
  readonly text: string;
}

/** The code of the services, without tests. */
const SOURCES: readonly Source[] = globSync('{apps/*,libs/*,libs/*/*}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.spec\.ts$|\.contract\.ts$|\/testing\/|\/contract\//.test(path))
  .map((path) => ({ path, text: readFileSync(resolve(ROOT, path), 'utf8') }));

const PORT = 'libs/engines/event-store/src/';
/** A call that makes a stream lose events. `super` is the call that a decorator of the store passes on. */
const SHORTENING_CALL = /(?<!super)\.(?:setRetention|truncateBefore)\(/;

/** What a file exports under names, with the text of each. */
const exportsOf = ({ text }: Source): { readonly name: string; readonly body: string }[] =>
  text.split(/^(?=export )/m).flatMap((body) => {
    const name = /^export const (\w+)/.exec(body)?.[1];
    return name === undefined ? [] : [{ name, body }];
  });

/** The functions of the port's library that shorten a stream for their caller. */
const HELPERS: readonly string[] = SOURCES.filter(({ path, text }) => path.startsWith(PORT) && SHORTENING_CALL.test(text))
  .filter(({ path }) => !path.slice(PORT.length).includes('/'))
  .flatMap(exportsOf)
  .map(({ name }) => name);

/** Where a stream's name is made: the expression of its category. */
const NAMED = /\bstreamName\(\s*('\w+'|\w+)/g;

const valueOf = (expression: string): string => {
  if (expression.startsWith("'")) return expression.slice(1, -1);
  const declared = new RegExp(`const ${expression} = '(\\w+)'`);
  return SOURCES.map(({ text }) => declared.exec(text)?.[1]).find((value) => value !== undefined) ?? `the value of ${expression}`;
};

const categoriesNamedIn = (text: string): string[] => [...text.matchAll(NAMED)].map(([, expression = '']) => valueOf(expression));

/** The categories of the streams that functions such as `deviceStream` name. */
const STREAM_FUNCTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  SOURCES.flatMap(exportsOf).map(({ name, body }) => [name, categoriesNamedIn(body.split(';')[0] ?? '')] as const),
);

/** All categories of streams that the file names, by itself or by a function of another file. */
const categoriesOf = ({ text }: Source): string[] => {
  const called = [...text.matchAll(/\b(\w+)\(/g)].flatMap(([, name = '']) => STREAM_FUNCTIONS.get(name) ?? []);
  return [...new Set([...categoriesNamedIn(text), ...called])];
};

const SHORTENING_FILES = SOURCES.filter(({ path }) => !path.startsWith(PORT))
  .filter(
    ({ text }) =>
      SHORTENING_CALL.test(text) ||
      HELPERS.some(
        (name) => new RegExp(`import [^;]*\\b${name}\\b[^;]*from '#engines/event-store'`).test(text) && new RegExp(`\\b${name}[<(]`).test(text),
      ),
  )
  .map((source) => ({ path: source.path, categories: categoriesOf(source), isAged: /setRetention\([^;]*\bmaxAge\b/.test(source.text) }));

describe('the categories of streams that lose events', () => {
  it('finds the code that shortens streams', () => {
    expect(HELPERS.toSorted()).toEqual(['release', 'truncateBeforeNewest']);
    const found = SHORTENING_FILES.map(({ path }) => path);
    expect(found).toEqual(
      expect.arrayContaining(['libs/service/platform/src/trust-service-health.ts', 'libs/domain/identity/src/repositories/devices.ts']),
    );
    expect(found).toContain('libs/domain/identity/src/repositories/person-reservations.ts');
    expect(found.length).toBeGreaterThanOrEqual(17);
  });

  // A file that shortens a stream names it too, and names no stream that keeps all its events: this is how the list is made from the code.
  it.each(SHORTENING_FILES)('holds each category that $path shortens', ({ categories, isAged }) => {
    expect(categories).not.toEqual([]);
    const unlisted = categories.filter((category) => shortenedStreams(category) === undefined);
    expect(unlisted).toEqual([]);
    if (isAged) expect(categories.map(shortenedStreams)).toContain('aged');
  });

  it('does not hold the audit trail, nor what an object inherits', () => {
    expect(['audit', 'session', 'constructor'].map(shortenedStreams)).toEqual([undefined, undefined, undefined]);
  });
});
