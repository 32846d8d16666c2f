import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { LANGUAGES } from '#web-page';

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

describe('the pages of the build', () => {
  it('are those of the inventory', () => {
    expect(readdirSync(BUILT).sort()).toEqual(PAGES.map(({ name }) => name).sort());
  });

  it.each(PAGES.map(({ name }) => name))('%s calls no function that its oldest browsers lack', (name) => {
    const scripts = scriptsOf(name);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter(([, text]) => MISSING.test(text)).map(([file]) => file)).toEqual([]);
  });

  it.each(['login', 'phone', 'portal'])('%s says in every language that it needs a script, or that it has not started', (name) => {
    const [, withoutScript = ''] = /<noscript>([^]*?)<\/noscript>/.exec(documentOf(name)) ?? [];
    const [, notStarted = ''] = /<div class="not-started"([^]*?)<\/div>/.exec(documentOf(name)) ?? [];
    for (const text of [withoutScript, notStarted]) {
      expect(text.match(/<p/g)).toHaveLength(LANGUAGES.length);
      for (const language of LANGUAGES.slice(1)) expect(text).toContain(`<p lang="${language}">`);
    }
  });

  it('reference says so in its own language', () => {
    expect(documentOf('reference')).toContain('<noscript>');
    expect(documentOf('reference')).toMatch(/<p class="not-started"[^>]*>\s*This page has not started/);
  });
});
