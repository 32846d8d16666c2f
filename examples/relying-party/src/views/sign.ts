import { html } from './html.js';
import type { Page } from './layout.js';

/** The page on which a file is chosen. The file's input has no name, so no browser sends it, with a script or without. */
export const signPage = (): Page => ({
  title: 'Sign a document',
  scripted: true,
  main: html` <section class="hero">
      <p class="eyebrow">Reading room</p>
      <h1>Sign a document with your phone.</h1>
      <p class="lead">Your document stays on this device. Only its name and its fingerprint, a SHA-512, are sent.</p>
    </section>
    <form class="card" method="post" action="/sign" data-testid="sign" data-sign>
      <h2>Choose a document</h2>
      <label class="field">
        <span>Document</span>
        <input type="file" required data-file data-testid="file" aria-describedby="file-hint" />
        <small id="file-hint">Any kind of file, up to 500 MB. Nothing is uploaded.</small>
      </label>
      <label class="field">
        <span>A line for your phone</span>
        <input
          name="title"
          maxlength="255"
          autocomplete="off"
          placeholder="Reading room agreement"
          aria-describedby="title-hint"
          data-testid="title"
        />
        <small id="title-hint">Your phone shows it, marked as coming from the library.</small>
      </label>
      <p class="banner" role="alert" data-problem data-testid="problem" hidden></p>
      <button class="button" data-testid="begin-signing">Sign it</button>
      <noscript><p class="notice">This page needs JavaScript: your browser itself has to take the fingerprint of the document.</p></noscript>
    </form>`,
});
