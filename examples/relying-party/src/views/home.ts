import type { Visitor } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { Page } from './layout.js';
import { describe } from './wording.js';

export interface HomeOptions {
  readonly visitor: Visitor;
  readonly attributes: readonly string[];
  readonly predicates: readonly string[];
}

export const homePage = ({ visitor, attributes, predicates }: HomeOptions): Page => ({
  title: 'Welcome',
  main: html`
    <section class="hero">
      <p class="eyebrow">Members</p>
      <h1>Your books, your holds, your reading room.</h1>
      <p class="lead">Log in with your phone. No password, and nothing to remember but your PIN.</p>
      ${visitor.account && html`<p class="notice">You are logged in. <a href="/account">Go to your account</a></p>`}
    </section>
    <form class="card" method="post" action="/login" data-testid="login">
      <h2>Log in</h2>
      <div class="actions">
        <button class="button" name="integration" value="HOSTED_PAGE" data-testid="login-hosted">
          <span>Log in</span><small>on the login service’s page</small>
        </button>
        <button class="button secondary" name="integration" value="OWN_PAGE" data-testid="login-own">
          <span>Log in here</span><small>the library shows the code itself</small>
        </button>
      </div>
      ${visitor.knownSubjectId !== undefined && pushChoice}
      <details>
        <summary>What the library asks for</summary>
        <div class="options">
          <label class="field">
            <span>A line for your phone</span>
            <input name="title" maxlength="255" autocomplete="off" placeholder="Renew your library card" aria-describedby="title-hint" />
            <small id="title-hint">Your phone shows it, marked as coming from the library.</small>
          </label>
          ${choices('attributes', 'Your details', attributes)} ${choices('predicates', 'Yes or no', predicates)}
        </div>
      </details>
    </form>
    <section class="card" aria-labelledby="sign-heading">
      <h2 id="sign-heading">Sign a document</h2>
      <p class="hint">With the same phone and the same PIN. The document stays on your device.</p>
      <p><a class="button secondary" href="/sign" data-testid="sign-document">Choose a document</a></p>
    </section>
    <p class="aside">
      Curious what happens behind the desk? <a href="/live" data-testid="live-link">See the messages that the login service sends us</a>.
    </p>
    ${visitor.knownSubjectId !== undefined && forgetForm}
  `,
});

const pushChoice = html` <label class="choice push">
  <input type="checkbox" name="push" value="yes" data-testid="push" />
  <span>Call my phone, no code to scan<small>You have logged in here before, so the library knows whom to ask.</small></span>
</label>`;

const forgetForm = html` <form class="aside" method="post" action="/forget">
  <p>This browser remembers who logged in last. <button class="link" data-testid="forget">Forget it</button></p>
</form>`;

const choices = (name: string, legend: string, options: readonly string[]): Markup | false =>
  options.length > 0 &&
  html` <fieldset>
    <legend>${legend}</legend>
    ${options.map(
      (option) =>
        html` <label class="choice">
          <input type="checkbox" name="${name}" value="${option}" />
          <span>${describe(option)}</span>
        </label>`,
    )}
  </fieldset>`;
