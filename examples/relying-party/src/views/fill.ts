import { html, type Markup } from './html.js';

/** A text of the catalogue with values in the place of its words in braces. */
export const fill = (text: string, values: Readonly<Record<string, Markup | string | number>>): Markup =>
  html`${text.split(/(\{[a-zA-Z]+\})/).map((piece) => (/^\{[a-zA-Z]+\}$/.test(piece) ? (values[piece.slice(1, -1)] ?? '') : piece))}`;
