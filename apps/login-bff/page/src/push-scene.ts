import { el } from '#web-page/browser';
import { picture } from './end-picture.js';
import type { PushStatus } from './hosted-api.js';
import type { Login } from './login-state.js';
import type { Messages } from './messages/messages.js';

export interface PushActions {
  /** Sends the request once more; undefined when the service refuses. */
  readonly pushAgain: () => Promise<PushStatus | undefined>;
  /** Shows the code instead; with a reason when the push did not work. */
  readonly showCode: (reason?: string) => void;
}

/** The code that the person chooses on the phone; nothing for a login without one. */
export const verificationCode = (texts: Messages, { verificationCode: code }: Login): readonly Node[] =>
  code === undefined
    ? []
    : [el('p', { class: 'verification' }, el('span', {}, texts.chooseCode), ' ', el('strong', { 'data-testid': 'verification-code' }, code))];

/** The request is on its way to the phone. The code is one click away, and comes by itself when nothing can be sent. */
export const pushScene = (texts: Messages, login: Login, { pushAgain, showCode }: PushActions): readonly Node[] => {
  const sent = el('p', { class: 'detail', role: 'status', 'data-testid': 'sent-again' });
  const again = el('button', { class: 'button secondary', type: 'button', 'data-testid': 'push-again' }, texts.pushAgain);
  again.addEventListener('click', () => {
    again.disabled = true;
    sent.textContent = '';
    void pushAgain().then((status) => {
      if (status !== 'DISPATCHED') return showCode(texts.pushRefused);
      again.disabled = false;
      sent.textContent = texts.pushedAgain;
      return undefined;
    });
  });
  return [
    el('div', { class: 'emblem' }, picture('WAVES')),
    el('p', { class: 'status', 'data-testid': 'status' }, texts.pushed),
    el('p', { class: 'detail' }, texts.pushedDetail),
    ...verificationCode(texts, login),
    sent,
    el(
      'div',
      { class: 'buttons' },
      again,
      el('button', { class: 'button secondary', type: 'button', click: () => showCode(), 'data-testid': 'show-code' }, texts.showCode),
    ),
  ];
};
