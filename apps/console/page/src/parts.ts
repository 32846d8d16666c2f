import { el } from '#web-page/browser';

import type { Messages } from './messages/messages.js';
import type { Json, PortalApi, PortalReply } from './portal-api.js';

/** What every part of the page works with. */
export interface Dependencies {
  readonly texts: Messages;
  readonly api: PortalApi;
  /** The reader's words for a time of the API, epoch seconds or RFC 3339. */
  readonly time: (at: unknown) => string;
  /** The reader's words for a day of the API, YYYY-MM-DD. */
  readonly day: (day: string) => string;
  /** The reader's words for a number of days. */
  readonly days: (count: number) => string;
  /** Tells the person, also a screen reader. */
  readonly tell: (text: string, done?: boolean) => void;
  /** The session is over: back to the login. */
  readonly left: () => void;
}

export const part = (title: string, ...children: readonly (Node | undefined)[]): HTMLElement =>
  el('section', { class: 'part' }, el('h2', {}, title), ...children);

/** A form that does not leave the page. */
export const entryForm = (submit: () => Promise<void>, ...children: readonly (Node | undefined | false)[]): HTMLFormElement =>
  el(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        void submit();
      },
    },
    ...children,
  );

export const button = (text: string, id: string, action: () => Promise<void>, look = ''): HTMLButtonElement => {
  const made = el('button', { type: 'button', class: `do ${look}`, 'data-testid': id }, text);
  made.addEventListener('click', () => {
    made.disabled = true;
    void action().finally(() => {
      made.disabled = false;
      // A disabled button loses the focus.
      if (document.activeElement === document.body) made.focus();
    });
  });
  return made;
};

/** A button that asks before it acts. The question takes its place and gets the focus. */
export const confirmedButton = (
  texts: Messages,
  wording: { text: string; id: string; warning: string; yes: string },
  action: () => Promise<void>,
): HTMLElement => {
  const place = el('div', { class: 'secret' });
  const closed = (): void => {
    place.replaceChildren(
      button(
        wording.text,
        wording.id,
        async () => {
          const keep = button(texts.keep, `${wording.id}-keep`, async () => closed(), 'quiet');
          const yes = button(wording.yes, `${wording.id}-yes`, () => action().then(closed), 'grave');
          place.replaceChildren(el('p', { class: 'notice', role: 'alert' }, wording.warning), el('div', { class: 'actions' }, yes, keep));
          keep.focus();
        },
        'grave',
      ),
    );
  };
  closed();
  return place;
};

/** A value that is shown once, such as a secret or a link. */
export const shownOnce = (warning: string, value: string, id: string): HTMLElement => {
  const box = el('div', { class: 'secret', tabindex: -1 }, el('p', { class: 'notice done' }, warning), el('code', { 'data-testid': id }, value));
  queueMicrotask(() => box.focus());
  return box;
};

/** The body of a reply; otherwise tells why there is none. */
export const bodyOf = (reply: PortalReply, { texts, tell, time, left }: Pick<Dependencies, 'texts' | 'tell' | 'time' | 'left'>): Json | undefined => {
  if (reply.kind === 'OK') return reply.body;
  if (reply.kind === 'UNREACHABLE') tell('againAt' in reply ? `${texts.tooOften} ${time(reply.againAt)}` : texts.noAnswer);
  else if (reply.status === 401) left();
  else if (reply.errorCode === 'name_taken') tell(texts.nameTaken);
  else if (reply.errorCode === 'approval_required') tell(texts.approval);
  else if (reply.errorCode === 'session_expired' || reply.errorCode === 'approval_not_found') tell(texts.approvalOver);
  else if (reply.errorCode === 'approval_outdated') tell(texts.approvalOutdated);
  else if (reply.errorCode === 'last_owner') tell(texts.lastOwner);
  else if (reply.errorCode === 'change_not_found' || reply.errorCode === 'logo_not_found') tell(texts.changeGone);
  else tell(reply.status === 403 ? texts.forbidden : texts.invalid);
  return undefined;
};

/** The label of an input. The name of a field of the API in it may break after an underscore, as on a narrow phone it must. */
export const field = (label: string, input: HTMLElement): HTMLLabelElement =>
  el('label', {}, ...label.split(/(?<=_)/).flatMap((piece, index) => (index === 0 ? [piece] : [el('wbr', {}), piece])), input);
