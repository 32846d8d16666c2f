import type { Texts } from '../messages/messages.js';
import type { Visitor } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { View } from './layout.js';
import { describe } from './wording.js';

export interface HomeOptions {
  readonly visitor: Visitor;
  readonly attributes: readonly string[];
  readonly predicates: readonly string[];
}

export const homePage =
  ({ visitor, attributes, predicates }: HomeOptions): View =>
  (texts) => ({
    title: texts.homeTitle,
    main: html`
      <section class="hero">
        <p class="eyebrow">${texts.members}</p>
        <h1>${texts.homeHeading}</h1>
        <p class="lead">${texts.homeLead}</p>
        ${visitor.account && html`<p class="notice">${texts.loggedIn} <a href="/account">${texts.toAccount}</a></p>`}
      </section>
      <form class="card" method="post" action="/login" data-testid="login">
        <h2>${texts.logIn}</h2>
        <div class="actions">
          <button class="button" name="integration" value="HOSTED_PAGE" data-testid="login-hosted">
            <span>${texts.logIn}</span><small>${texts.logInHosted}</small>
          </button>
          <button class="button secondary" name="integration" value="OWN_PAGE" data-testid="login-own">
            <span>${texts.logInHere}</span><small>${texts.logInHereHint}</small>
          </button>
        </div>
        ${visitor.knownSubjectId !== undefined && pushChoice(texts)}
        <details>
          <summary>${texts.asks}</summary>
          <div class="options">
            <label class="field">
              <span>${texts.line}</span>
              <input name="title" maxlength="255" autocomplete="off" placeholder="${texts.linePlaceholder}" aria-describedby="title-hint" />
              <small id="title-hint">${texts.lineHint}</small>
            </label>
            ${choices('attributes', texts.details, attributes, texts)} ${choices('predicates', texts.yesOrNo, predicates, texts)}
          </div>
        </details>
      </form>
      <section class="card" aria-labelledby="sign-heading">
        <h2 id="sign-heading">${texts.sign}</h2>
        <p class="hint">${texts.signHint}</p>
        <p><a class="button secondary" href="/sign" data-testid="sign-document">${texts.chooseDocument}</a></p>
      </section>
      <p class="aside">${texts.curious} <a href="/live" data-testid="live-link">${texts.seeMessages}</a>.</p>
      ${visitor.knownSubjectId !== undefined && forgetForm(texts)}
    `,
  });

const pushChoice = (texts: Texts): Markup =>
  html` <label class="choice push">
    <input type="checkbox" name="push" value="yes" data-testid="push" />
    <span>${texts.push}<small>${texts.pushHint}</small></span>
  </label>`;

const forgetForm = (texts: Texts): Markup =>
  html` <form class="aside" method="post" action="/forget">
    <p>${texts.remembers} <button class="link" data-testid="forget">${texts.forget}</button></p>
  </form>`;

const choices = (name: string, legend: string, options: readonly string[], texts: Texts): Markup | false =>
  options.length > 0 &&
  html` <fieldset>
    <legend>${legend}</legend>
    ${options.map(
      (option) =>
        html` <label class="choice">
          <input type="checkbox" name="${name}" value="${option}" />
          <span>${describe(option, texts)}</span>
        </label>`,
    )}
  </fieldset>`;
