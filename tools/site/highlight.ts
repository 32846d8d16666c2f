import { createRequire } from 'node:module';

interface Highlighter {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

const require = createRequire(import.meta.url);
/** Its types would bring those of browsers into every program of the repository. */
const highlighter = require('highlight.js/lib/common') as Highlighter;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The code as HTML: its words in elements with classes, no style. A language that is not known stays plain. */
export const highlighted = (code: string, language: string): string =>
  highlighter.getLanguage(language) !== undefined ? highlighter.highlight(code, { language }).value : escaped(code);
