import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { LANGUAGES } from '#web-page';

import { ASKED_FOR_FUNCTIONS, NEEDED_FUNCTIONS } from './needed-functions.ts';
import { browserFunctions, newerFunctionsIn } from './newer-functions.ts';
import { PAGES } from './pages.ts';

const BUILT = resolve('dist/pages');

/** Functions that are missing in browsers of the build's target: Safari 16.4 to 17.3, Firefox 115 to 123, Chrome 111 to 119. */
const MISSING = /AbortSignal\s*\??\.\s*(any|timeout)|URL\s*\??\.\s*(canParse|parse)\b/;

/** A program of a package that calls them only where a person asks an authorization server for a device code. Our reference names none. */
const LIBRARY = /^library-\w+\.js$/;

const documentOf = (name: string): string => readFileSync(join(BUILT, name, 'index.html'), 'utf8');

/** The scripts of a page by their names: its files, and those inside its document. */
const scriptsOf = (name: string): [string, string][] => {
  const files = readdirSync(join(BUILT, name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return [
    ...files
      .filter((file) => file.name.endsWith('.js') && !LIBRARY.test(file.name))
      .map((file): [string, string] => [file.name, readFileSync(join(file.parentPath, file.name), 'utf8')]),
    ...files
      .filter((file) => file.name === 'index.html')
      .flatMap(() => [...documentOf(name).matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']): [string, string] => ['index.html', text])),
  ];
};

/** The pages whose documents say at once that a browser is too old. */
const WITH_A_CHECK = ['login', 'phone', 'portal'];

describe('the functions of browsers', () => {
  const known = browserFunctions();
  const paths = (functions: ReturnType<typeof newerFunctionsIn>): string[] => functions.map(({ path }) => path).sort();

  it.each([
    ['structuredClone({})', ['structuredClone']],
    ['AbortSignal.timeout(1)', ['AbortSignal.timeout']],
    ['list.toSorted()', ['Array.prototype.toSorted']],
    ['new Intl.DisplayNames("en", {})', ['Intl.DisplayNames']],
    ['Object.groupBy(list, kindOf)', ['Object.groupBy']],
    ['list.map(String); list.toSorted?.()', []],
    ['({ toSorted() {} }).toSorted()', []],
  ])('are found in a script: %s', (script, expected) => {
    const found = paths(newerFunctionsIn([script], known));
    expect(found.filter((path) => !path.startsWith('TypedArray.'))).toEqual(expected);
  });

  it('that the pages call are those of the list which their documents check, or the pages ask for them', () => {
    const scripts = WITH_A_CHECK.flatMap((name) => scriptsOf(name).filter(([file]) => file !== 'service-worker.js')).map(([, text]) => text);
    const listed = [...NEEDED_FUNCTIONS, ...ASKED_FOR_FUNCTIONS];
    const isListed = (path: string): boolean => listed.some((each) => each === path || each.startsWith(`${path}.`));
    expect(paths(newerFunctionsIn(scripts, known)).filter((path) => !isListed(path))).toEqual([]);
  });

  it('that a document checks are in every browser that the pages are built for', () => {
    const ages = new Map(known.map(({ path, age }) => [path, age]));
    expect(NEEDED_FUNCTIONS.filter((path) => ages.get(path) !== 'NEWER')).toEqual([]);
  });
});

describe('the pages of the build', () => {
  it('are those of the inventory', () => {
    expect(readdirSync(BUILT).sort()).toEqual(PAGES.map(({ name }) => name).sort());
  });

  it.each(PAGES.map(({ name }) => name))('%s calls no function that its oldest browsers lack', (name) => {
    const scripts = scriptsOf(name);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter(([, text]) => MISSING.test(text)).map(([file]) => file)).toEqual([]);
  });

  it.each(WITH_A_CHECK)('%s says in every language that it needs a script, that it has not started, or that the browser is too old', (name) => {
    const [, withoutScript = ''] = /<noscript>([^]*?)<\/noscript>/.exec(documentOf(name)) ?? [];
    const [, notStarted = ''] = /<div class="not-started"([^]*?)<\/div>/.exec(documentOf(name)) ?? [];
    const [, tooOld = ''] = /<div class="too-old"([^]*?)<\/div>/.exec(documentOf(name)) ?? [];
    for (const text of [withoutScript, notStarted, tooOld]) {
      expect(text.match(/<p/g)).toHaveLength(LANGUAGES.length);
      for (const language of LANGUAGES.slice(1)) expect(text).toContain(`<p lang="${language}">`);
    }
  });

  it.each(WITH_A_CHECK)('%s checks its browser before any other script of the document', (name) => {
    const [syntax, check] = [...documentOf(name).matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
    expect(syntax).toContain('data-syntax');
    expect(check).toContain('data-too-old');
    for (const path of NEEDED_FUNCTIONS) expect(check).toContain(`"${path}"`);
    // A browser that knows no newer syntax reads it, too.
    expect(check).not.toMatch(/=>|\b(?:const|let|class)\b|`|\?\.|\?\?/);
  });

  it('reference says so in its own language', () => {
    expect(documentOf('reference')).toContain('<noscript>');
    expect(documentOf('reference')).toMatch(/<p class="not-started"[^>]*>\s*This page has not started/);
  });
});
