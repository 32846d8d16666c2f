import type { Texts } from '../messages/messages.js';
import type { InboxEntry } from '../webhook-inbox.js';
import { fill } from './fill.js';
import { html, type Markup } from './html.js';
import type { View } from './layout.js';

/** The number of messages on the page. */
export const MAX_SHOWN = 50;

const WORDS: Readonly<Record<string, keyof Texts>> = {
  'session.scanned': 'wordScanned',
  'session.confirmed': 'wordConfirmed',
  'session.completed': 'wordCompleted',
  'session.cancelled': 'wordCancelled',
  'session.expired': 'wordExpired',
  'endpoint.ping': 'wordPing',
};

/** A message as the page and its script show it. */
export interface ShownMessage {
  readonly id: string;
  readonly number: number;
  readonly word: string;
  readonly type: string;
  /** The subject of the message, short enough to compare at a glance. */
  readonly about: string;
  /** RFC 3339. */
  readonly at: string;
  readonly time: string;
  readonly late: boolean;
}

export const shownOf = ({ number, late, event: { id, type, timestamp, data } }: InboxEntry, texts: Texts): ShownMessage => ({
  id,
  number,
  word: wordOf(type, texts),
  type,
  about:
    data.sessionId === undefined
      ? texts.thisEndpoint
      : aboutSession(data.signatureType === 'SIGNING' ? texts.aboutSignature : texts.aboutLogin, data.sessionId, data.sequence),
  at: timestamp,
  time: `${timestamp.slice(11, 19)} UTC`,
  late,
});

const aboutSession = (text: string, sessionId: string, sequence = 0): string =>
  text.replace('{id}', () => sessionId.slice(0, 8)).replace('{step}', () => String(sequence));

const wordOf = (type: string, texts: Texts): string => {
  const word = WORDS[type];
  return word === undefined ? type : texts[word];
};

export interface LiveOptions {
  /** The newest first. */
  readonly entries: readonly InboxEntry[];
  /** Whether the library has a webhook endpoint at all. */
  readonly listening: boolean;
}

/** The messages of the login service. The list is complete without a script, which adds new ones as they arrive. */
export const livePage =
  ({ entries, listening }: LiveOptions): View =>
  (texts) => ({
    title: texts.liveTitle,
    scripted: true,
    reloadSeconds: 5,
    main: html` <section class="hero">
        <p class="eyebrow">${texts.behindDesk}</p>
        <h1>${texts.liveHeading}</h1>
        <p class="lead">${texts.liveLead}</p>
      </section>
      ${listening ? messages(entries, texts) : noEndpoint(texts)}`,
  });

const messages = (entries: readonly InboxEntry[], texts: Texts): Markup =>
  html` <section class="card" aria-labelledby="messages" data-live="${entries[0]?.number ?? 0}" data-most="${MAX_SHOWN}" data-testid="live">
    <div class="live-head">
      <h2 id="messages">${texts.liveMessages}</h2>
      <p class="hint" data-listening hidden><span class="pulse" aria-hidden="true"></span> ${texts.listening}</p>
    </div>
    <p class="banner" data-offline hidden>${texts.liveOffline}</p>
    <p class="hint" data-empty ${entries.length > 0 && html`hidden`}>
      ${texts.nothingYet} <a href="/" target="_blank" rel="noopener">${texts.inAnotherTab}</a>
    </p>
    <ol class="messages" data-messages>
      ${entries.map((entry) => row(shownOf(entry, texts), texts))}
    </ol>
    <template data-row>${row({ id: '', number: 0, word: '', type: '', about: '', at: '', time: '', late: true }, texts)}</template>
    <p class="hint">${texts.liveHint}</p>
    <p class="visually-hidden" role="status" aria-live="polite" data-announcer></p>
  </section>`;

const row = ({ id, word, type, about, at, time, late }: ShownMessage, texts: Texts): Markup =>
  html` <li data-id="${id}" data-type="${type}" data-testid="message-row">
    <strong data-word>${word}</strong>
    <span class="hint" data-about>${about}</span>
    <code data-kind>${type}</code>
    <time datetime="${at}" data-time>${time}</time>
    <span class="late" data-late ${!late && html`hidden`}>${texts.late}</span>
  </li>`;

const noEndpoint = (texts: Texts): Markup =>
  html` <section class="card" data-testid="not-listening">
    <h2>${texts.noEndpointTitle}</h2>
    <p class="lead">${fill(texts.noEndpoint, { path: html`<code>/webhooks</code>`, setting: html`<code>WEBHOOK_SECRET</code>` })}</p>
  </section>`;
