import { html } from './html.js';
import type { Page } from './layout.js';

export interface Message {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

export const messagePage = ({ title, text }: Message): Page => ({
  title,
  main: html` <section class="card message" data-testid="message">
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    <p><a class="button" href="/">Back to the library</a></p>
  </section>`,
});

export const MESSAGES = {
  NO_LOGIN: {
    status: 404,
    title: 'No login here',
    text: 'This browser has no login under way. If you have just approved one on this phone, go on where you began it.',
  },
  OTHER_BROWSER: {
    status: 403,
    title: 'Stopped for your safety',
    text: 'This login was begun in another browser, so it ends here. If somebody sent you the link: it was right not to go on.',
  },
  COME_BACK_FIRST: {
    status: 403,
    title: 'Come back through the app',
    text: 'This login was opened by a link, so it can be finished only where the app brings you back to.',
  },
  NOT_OURS: {
    status: 400,
    title: 'This login could not be checked',
    text: 'What came back does not belong to the login that this browser began. Nothing was opened. Please log in again.',
  },
  TOO_LATE: { status: 400, title: 'That took too long', text: 'The approval is not good any more. Please log in again.' },
  NO_SIGNING: { status: 404, title: 'Nothing signed here', text: 'This browser has no signature to fetch, or it is not kept any more.' },
  NOT_SIGNABLE: {
    status: 400,
    title: 'This document cannot be signed',
    text: 'The signing service does not take it, most likely because of its name. Give it a plain name and try again.',
  },
  TOO_OFTEN: { status: 429, title: 'Your phone was called too often', text: 'Wait some minutes, or log in with a code to scan.' },
  UNAVAILABLE: { status: 503, title: 'The login service does not answer', text: 'Please try again in a moment.' },
  REFUSED: {
    status: 502,
    title: 'The login service refused',
    text: 'The library asked for something that it may not ask for. The people who run it can see the reason.',
  },
  FOREIGN_FORM: { status: 403, title: 'This did not come from our page', text: 'Please use the buttons on the library’s own pages.' },
  BAD_FORM: { status: 400, title: 'We could not read that', text: 'Please fill in the form again.' },
  NOT_FOUND: { status: 404, title: 'Nothing here', text: 'The library has no such page.' },
  FAILED: { status: 500, title: 'Something went wrong', text: 'That is our fault. Please try again.' },
} as const satisfies Record<string, Message>;
