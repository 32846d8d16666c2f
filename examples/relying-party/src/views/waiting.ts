import type { SessionState } from '#clients/relying-party';

import type { Texts } from '../messages/messages.js';
import type { LoginInProgress } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { View } from './layout.js';
import { type AwaitedRequest, codeAndSteps, ending, linksToApp, waitingCard } from './waiting-card.js';

export interface WaitingOptions extends AwaitedRequest {
  readonly login: LoginInProgress;
  readonly mayComplete: boolean;
}

/** The scenes of the page. The server shows the first one, the script the later ones. */
export type Scene = 'PENDING' | 'SCANNED' | 'APPROVED' | 'GO_BACK_THROUGH_THE_APP' | 'CANCELLED' | 'EXPIRED' | 'ELSEWHERE';

/** Scenes that a page without a script asks about again. */
const RUNNING: readonly Scene[] = ['PENDING', 'SCANNED', 'GO_BACK_THROUGH_THE_APP'];

export const sceneOf = ({ status }: SessionState, mayComplete: boolean): Scene => {
  if (status === 'CONFIRMED') return mayComplete ? 'APPROVED' : 'GO_BACK_THROUGH_THE_APP';
  return status === 'COMPLETED' ? 'ELSEWHERE' : status;
};

/** Waits for the phone, and then completes the login. */
export const waitingPage =
  (options: WaitingOptions): View =>
  (texts) => {
    const { login, state, mayComplete } = options;
    const shown = sceneOf(state, mayComplete);
    return {
      title: texts.logIn,
      scripted: true,
      ...(RUNNING.includes(shown) ? { reloadSeconds: 5 } : {}),
      main: waitingCard<Scene>(
        {
          kind: 'waiting',
          query: `login=${login.loginId}`,
          request: options,
          shown,
          cancel: '/waiting/cancel',
          scenes: [
            { name: 'PENDING', heading: texts.logInWithPhone, body: login.device === 'THIS_DEVICE' ? links(options, texts) : code(options, texts) },
            { name: 'SCANNED', heading: texts.scannedTitle, body: html`<p class="lead">${texts.scanned}</p>` },
            { name: 'APPROVED', heading: texts.approvedTitle, body: ending(texts.approved, completion(texts)) },
            { name: 'GO_BACK_THROUGH_THE_APP', heading: texts.comeBackTitle, body: html`<p class="lead">${texts.comeBack}</p>` },
            { name: 'CANCELLED', heading: texts.declinedTitle, body: ending(texts.declined, again(texts)) },
            { name: 'EXPIRED', heading: texts.expiredTitle, body: ending(texts.expired, again(texts)) },
            { name: 'ELSEWHERE', heading: texts.elsewhereTitle, body: ending(texts.elsewhere, toAccount(texts)) },
          ],
        },
        texts,
      ),
    };
  };

const code = (options: WaitingOptions, texts: Texts): Markup =>
  html` ${pushNote(options.login, texts)} ${codeAndSteps(options, texts.step3, texts)}
  ${change({ device: 'THIS_DEVICE', question: texts.onThisDevice, label: texts.openHere, testid: 'use-this-device' })}`;

const links = (options: WaitingOptions, texts: Texts): Markup =>
  html` <p class="lead">${texts.linkLead}</p>
    ${linksToApp(options, texts)}
    ${change({ device: 'ANOTHER_DEVICE', question: texts.onAnotherDevice, label: texts.showCode, testid: 'use-another-device' })}`;

const pushNote = ({ pending }: LoginInProgress, texts: Texts): Markup => {
  if (pending.pushStatus === 'DISPATCHED') return html`<p class="notice" data-testid="push-note">${texts.pushed}</p>`;
  if (pending.pushStatus === 'NO_DEVICE') return html`<p class="notice" data-testid="push-note">${texts.noPhone}</p>`;
  return html`<p class="lead">${texts.scanLead}</p>`;
};

const change = ({ device, question, label, testid }: Readonly<Record<'device' | 'question' | 'label' | 'testid', string>>): Markup =>
  html`<form class="aside" method="post" action="/waiting/again">
    <p>${question} <button class="link" name="device" value="${device}" data-testid="${testid}">${label}</button></p>
  </form>`;

const completion = (texts: Texts): Markup =>
  html`<form method="post" action="/waiting/completion" data-complete><button class="button">${texts.openAccount}</button></form>`;

const again = (texts: Texts): Markup =>
  html`<form method="post" action="/waiting/again"><button class="button" data-testid="again">${texts.tryAgain}</button></form>`;

const toAccount = (texts: Texts): Markup => html`<p><a class="button secondary" href="/account">${texts.toAccount}</a></p>`;
