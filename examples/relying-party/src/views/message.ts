import type { Texts } from '../messages/messages.js';
import { html } from './html.js';
import type { View } from './layout.js';

export interface Message {
  readonly status: number;
  readonly title: keyof Texts;
  readonly text: keyof Texts;
}

export const messagePage =
  ({ title, text }: Message): View =>
  (texts) => ({
    title: texts[title],
    main: html` <section class="card message" data-testid="message">
      <h1>${texts[title]}</h1>
      <p class="lead">${texts[text]}</p>
      <p><a class="button" href="/">${texts.back}</a></p>
    </section>`,
  });

/** The failures that a page reports, with their HTTP status. */
export const MESSAGES = {
  NO_LOGIN: { status: 404, title: 'noLoginTitle', text: 'noLogin' },
  OTHER_BROWSER: { status: 403, title: 'otherBrowserTitle', text: 'otherBrowser' },
  COME_BACK_FIRST: { status: 403, title: 'comeBackFirstTitle', text: 'comeBackFirst' },
  NOT_OURS: { status: 400, title: 'notOursTitle', text: 'notOurs' },
  TOO_LATE: { status: 400, title: 'tooLateTitle', text: 'tooLate' },
  NO_SIGNING: { status: 404, title: 'noSigningTitle', text: 'noSigning' },
  NOT_SIGNABLE: { status: 400, title: 'notSignableTitle', text: 'notSignable' },
  TOO_OFTEN: { status: 429, title: 'tooOftenTitle', text: 'tooOften' },
  UNAVAILABLE: { status: 503, title: 'unavailableTitle', text: 'unavailable' },
  REFUSED: { status: 502, title: 'refusedTitle', text: 'refused' },
  FOREIGN_FORM: { status: 403, title: 'foreignFormTitle', text: 'foreignForm' },
  BAD_FORM: { status: 400, title: 'badFormTitle', text: 'badForm' },
  NOT_FOUND: { status: 404, title: 'notFoundTitle', text: 'notFound' },
  FAILED: { status: 500, title: 'wentWrongTitle', text: 'wentWrong' },
} as const satisfies Record<string, Message>;
