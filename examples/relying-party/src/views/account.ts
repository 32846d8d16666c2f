import type { Account } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { Page } from './layout.js';
import { describe } from './wording.js';

export const accountPage = (account: Account): Page => {
  const { subjectId, attributes = {}, predicates = {}, loggedInAt } = account;
  return {
    title: 'Your account',
    main: html` <section class="hero">
        <p class="eyebrow">Logged in</p>
        <h1>${attributes['name'] === undefined ? 'Welcome back.' : html`Welcome, <bdi>${attributes['name']}</bdi>.`}</h1>
      </section>
      <section class="card" aria-labelledby="known">
        <h2 id="known">What the library knows of you</h2>
        <dl class="facts">
          ${fact('Your number here', html`<code data-testid="subject-id">${subjectId}</code>`)}
          ${Object.entries(attributes).map(([name, value]) => fact(describe(name), html`<bdi data-testid="attribute-${name}">${value}</bdi>`))}
          ${Object.entries(predicates).map(([name, holds]) =>
            fact(describe(name), html`<span class="${holds ? 'yes' : 'no'}" data-testid="predicate-${name}">${holds ? 'Yes' : 'No'}</span>`),
          )}
          ${fact('Since', html`<time datetime="${new Date(loggedInAt).toISOString()}">${new Date(loggedInAt).toISOString().slice(11, 16)} UTC</time>`)}
        </dl>
        <p class="hint">The number, your <code>subjectId</code>, is made for this library alone: no other service sees the same one.</p>
        <form method="post" action="/logout"><button class="button secondary" data-testid="logout">Log out</button></form>
      </section>`,
  };
};

const fact = (name: string, value: Markup): Markup =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
