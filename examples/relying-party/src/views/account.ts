import type { Account } from '../visitor.js';
import { fill } from './fill.js';
import { html, type Markup } from './html.js';
import type { View } from './layout.js';
import { describe } from './wording.js';

export const accountPage =
  (account: Account): View =>
  (texts) => {
    const { subjectId, attributes = {}, predicates = {}, loggedInAt } = account;
    return {
      title: texts.accountTitle,
      main: html` <section class="hero">
          <p class="eyebrow">${texts.loggedInShort}</p>
          <h1>${attributes['name'] === undefined ? texts.welcomeBack : fill(texts.welcome, { name: html`<bdi>${attributes['name']}</bdi>` })}</h1>
        </section>
        <section class="card" aria-labelledby="known">
          <h2 id="known">${texts.known}</h2>
          <dl class="facts">
            ${fact(texts.number, html`<code data-testid="subject-id">${subjectId}</code>`)}
            ${Object.entries(attributes).map(([name, value]) => fact(describe(name, texts), html`<bdi data-testid="attribute-${name}">${value}</bdi>`))}
            ${Object.entries(predicates).map(([name, holds]) =>
              fact(
                describe(name, texts),
                html`<span class="${holds ? 'yes' : 'no'}" data-testid="predicate-${name}">${holds ? texts.yes : texts.no}</span>`,
              ),
            )}
            ${fact(texts.since, html`<time datetime="${new Date(loggedInAt).toISOString()}">${new Date(loggedInAt).toISOString().slice(11, 16)} UTC</time>`)}
          </dl>
          <p class="hint">${fill(texts.numberHint, { term: html`<code>subjectId</code>` })}</p>
          <form method="post" action="/logout"><button class="button secondary" data-testid="logout">${texts.logOut}</button></form>
        </section>`,
    };
  };

const fact = (name: Markup | string, value: Markup): Markup =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
