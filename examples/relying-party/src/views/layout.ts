import { html, type Markup } from './html.js';

export interface Frame {
  /** The demo's name. */
  readonly name: string;
  readonly style: string;
  readonly script: string;
}

export interface Page {
  readonly title: string;
  readonly main: Markup;
  /** The page needs the script. */
  readonly scripted?: boolean;
  /** Seconds between two reloads of a page without a script. */
  readonly reloadSeconds?: number;
}

export const document = ({ name, style, script }: Frame, { title, main, scripted, reloadSeconds }: Page): string =>
  html`<!doctype html>
    <html lang="en">
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
        </header>
        <main>${main}</main>
        <footer class="colophon">A made-up library, to try the login with.</footer>
      </body>
    </html> `.text;
