import type { InboxEntry } from '../webhook-inbox.js';
import { html, type Markup } from './html.js';
import type { Page } from './layout.js';

/** The number of messages on the page. */
export const MAX_SHOWN = 50;

const WORDS: Readonly<Record<string, string>> = {
  'session.scanned': 'Scanned',
  'session.confirmed': 'Confirmed',
  'session.completed': 'Completed',
  'session.cancelled': 'Cancelled',
  'session.expired': 'Expired',
  'endpoint.ping': 'A test message',
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

export const shownOf = ({ number, late, event: { id, type, timestamp, data } }: InboxEntry): ShownMessage => ({
  id,
  number,
  word: WORDS[type] ?? type,
  type,
  about:
    data.sessionId === undefined
      ? 'This endpoint'
      : `${data.signatureType === 'SIGNING' ? 'Signature' : 'Login'} ${data.sessionId.slice(0, 8)}, step ${data.sequence}`,
  at: timestamp,
  time: `${timestamp.slice(11, 19)} UTC`,
  late,
});

export interface LiveOptions {
  /** The newest first. */
  readonly entries: readonly InboxEntry[];
  /** Whether the library has a webhook endpoint at all. */
  readonly listening: boolean;
}

/** The messages of the login service. The list is complete without a script, which adds new ones as they arrive. */
export const livePage = ({ entries, listening }: LiveOptions): Page => ({
  title: 'Messages, live',
  scripted: true,
  reloadSeconds: 5,
  main: html` <section class="hero">
      <p class="eyebrow">Behind the desk</p>
      <h1>What the login service tells us.</h1>
      <p class="lead">Each step of a login or a signature arrives here by itself, signed, on the library’s own server.</p>
    </section>
    ${listening ? messages(entries) : noEndpoint}`,
});

const messages = (entries: readonly InboxEntry[]): Markup =>
  html` <section class="card" aria-labelledby="messages" data-live="${entries[0]?.number ?? 0}" data-most="${MAX_SHOWN}" data-testid="live">
    <div class="live-head">
      <h2 id="messages">Messages</h2>
      <p class="hint" data-listening hidden><span class="pulse" aria-hidden="true"></span> Listening</p>
    </div>
    <p class="banner" data-offline hidden>The connection is gone. What comes meanwhile is shown as soon as it is back.</p>
    <p class="hint" data-empty ${entries.length > 0 && html`hidden`}>
      Nothing yet. <a href="/" target="_blank" rel="noopener">Log in or sign in another tab</a>, and watch.
    </p>
    <ol class="messages" data-messages>
      ${entries.map((entry) => row(shownOf(entry)))}
    </ol>
    <template data-row>${row({ id: '', number: 0, word: '', type: '', about: '', at: '', time: '', late: true })}</template>
    <p class="hint">
      Each one bears the service’s signature and is kept once. They hold no name and no code: who logged in, the library asks the service itself. A
      real library shows them to its staff only.
    </p>
    <p class="visually-hidden" role="status" aria-live="polite" data-announcer></p>
  </section>`;

const row = ({ id, word, type, about, at, time, late }: ShownMessage): Markup =>
  html` <li data-id="${id}" data-type="${type}" data-testid="message-row">
    <strong data-word>${word}</strong>
    <span class="hint" data-about>${about}</span>
    <code data-kind>${type}</code>
    <time datetime="${at}" data-time>${time}</time>
    <span class="late" data-late ${!late && html`hidden`}>Came late: a newer message was here already.</span>
  </li>`;

const noEndpoint = html` <section class="card" data-testid="not-listening">
  <h2>No messages can arrive yet</h2>
  <p class="lead">
    This library has no webhook endpoint. Its operator adds one for <code>/webhooks</code> and gives the library the endpoint’s secret,
    <code>WEBHOOK_SECRET</code>.
  </p>
</section>`;
