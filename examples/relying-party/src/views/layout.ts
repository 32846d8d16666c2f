import { type Language, LANGUAGE_NAMES, LANGUAGES, type Texts } from '../messages/messages.js';
import { html, type Markup } from './html.js';

export interface Frame {
  /** The demo's name. */
  readonly name: string;
  readonly style: string;
  readonly script: string;
  readonly language: Language;
  readonly texts: Texts;
}

export interface Page {
  readonly title: string;
  readonly main: Markup;
  /** The page needs the script, which removes the sentence that says that it has not started. */
  readonly scripted?: boolean;
  /** The texts that the script shows. */
  readonly words?: Readonly<Record<string, string>>;
  /** Seconds between two reloads of a page without a script. */
  readonly reloadSeconds?: number;
}

/** A page in the language of its reader. */
export type View = (texts: Texts) => Page;

export const document = ({ name, style, script, language, texts }: Frame, { title, main, scripted, words, reloadSeconds }: Page): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${name}</title>
        <link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/${style}" />
        ${scripted && html`<script type="module" src="/${script}"></script>`}
        ${reloadSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}" /></noscript>`}
      </head>
      <body>
        <header class="masthead">
          <a class="brand" href="/"><img src="/assets/mark.svg" alt="" width="32" height="32" /> ${name}</a>
          ${scripted && html`<p class="not-started" role="alert" data-not-started>${texts.notStarted}</p>`}
        </header>
        <main ${words && html`data-words="${JSON.stringify(words)}"`}>${main}</main>
        <footer class="colophon">
          <p>${texts.madeUp}</p>
          <nav class="languages" aria-label="${texts.language}">${LANGUAGES.map((each) => languageLink(each, each === language))}</nav>
        </footer>
      </body>
    </html> `.text;

const languageLink = (language: Language, current: boolean): Markup =>
  html` <a
    href="/language/${language}"
    lang="${language}"
    hreflang="${language}"
    data-testid="language-${language}"
    ${current && html`aria-current="true"`}
    >${LANGUAGE_NAMES[language]}</a
  >`;
