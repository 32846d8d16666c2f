import { html } from './html.js';
import type { View } from './layout.js';
import { scriptWords } from './script-words.js';

/** The page on which a file is chosen. The file's input has no name, so no browser sends it, with a script or without. */
export const signPage = (): View => (texts) => ({
  title: texts.sign,
  scripted: true,
  words: scriptWords(texts),
  main: html` <section class="hero">
      <p class="eyebrow">${texts.readingRoom}</p>
      <h1>${texts.signHeading}</h1>
      <p class="lead">${texts.signLead}</p>
    </section>
    <form class="card" method="post" action="/sign" data-testid="sign" data-sign>
      <h2>${texts.chooseDocument}</h2>
      <label class="field">
        <span>${texts.document}</span>
        <input type="file" required data-file data-testid="file" aria-describedby="file-hint" />
        <small id="file-hint">${texts.fileHint}</small>
      </label>
      <label class="field">
        <span>${texts.line}</span>
        <input
          name="title"
          maxlength="255"
          autocomplete="off"
          placeholder="${texts.signPlaceholder}"
          aria-describedby="title-hint"
          data-testid="title"
        />
        <small id="title-hint">${texts.lineHint}</small>
      </label>
      <p class="banner" role="alert" data-problem data-testid="problem" hidden></p>
      <button class="button" disabled data-testid="begin-signing">${texts.signIt}</button>
      <noscript><p class="notice">${texts.needsScript}</p></noscript>
    </form>`,
});
