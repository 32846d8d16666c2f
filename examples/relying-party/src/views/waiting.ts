import { type SessionState, webPhoneLink } from '#relying-party-client';

import type { Texts } from '../messages/messages.js';
import type { LoginInProgress } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { View } from './layout.js';
import { qrPicture } from './qr-picture.js';

export interface WaitingOptions {
  readonly login: LoginInProgress;
  readonly state: SessionState;
  readonly payload: string;
  readonly mayComplete: boolean;
  readonly appUrl: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The scenes of the page. The server shows the first one, the script the later ones. */
export type Scene = 'PENDING' | 'SCANNED' | 'APPROVED' | 'GO_BACK_THROUGH_THE_APP' | 'CANCELLED' | 'EXPIRED' | 'ELSEWHERE';

export const sceneOf = ({ status }: SessionState, mayComplete: boolean): Scene => {
  if (status === 'CONFIRMED') return mayComplete ? 'APPROVED' : 'GO_BACK_THROUGH_THE_APP';
  return status === 'COMPLETED' ? 'ELSEWHERE' : status;
};

export const waitingPage =
  (options: WaitingOptions): View =>
  (texts) => {
    const { login, state, mayComplete, now } = options;
    const shown = sceneOf(state, mayComplete);
    const scene = (name: Scene, heading: string, body: Markup): Markup =>
      html` <section class="scene" data-scene="${name}" ${name !== shown && html`hidden`}>
        <h1 tabindex="-1">${heading}</h1>
        ${body}
      </section>`;
    return {
      title: texts.logIn,
      scripted: true,
      ...(shown === 'PENDING' || shown === 'SCANNED' || shown === 'GO_BACK_THROUGH_THE_APP' ? { reloadSeconds: 5 } : {}),
      main: html` <div
        class="card waiting"
        data-testid="waiting"
        data-login="${login.loginId}"
        data-status-url="/waiting/status?login=${login.loginId}"
        data-status="${state.status}"
        data-scene-shown="${shown}"
        data-expires-at="${state.expiresAt}"
        data-now="${now}"
      >
        <p class="banner" data-offline hidden>${texts.offline}</p>
        ${scene('PENDING', texts.logInWithPhone, login.device === 'THIS_DEVICE' ? links(options, texts) : code(options, texts))}
        ${scene('SCANNED', texts.scannedTitle, html`<p class="lead">${texts.scanned}</p>`)}
        ${scene(
          'APPROVED',
          texts.approvedTitle,
          html` <p class="lead">${texts.approved}</p>
            <form method="post" action="/waiting/completion" data-complete><button class="button">${texts.openAccount}</button></form>`,
        )}
        ${scene('GO_BACK_THROUGH_THE_APP', texts.comeBackTitle, html` <p class="lead">${texts.comeBack}</p>`)}
        ${scene(
          'CANCELLED',
          texts.declinedTitle,
          html`<p class="lead">${texts.declined}</p>
            ${again(texts.tryAgain)}`,
        )}
        ${scene(
          'EXPIRED',
          texts.expiredTitle,
          html`<p class="lead">${texts.expired}</p>
            ${again(texts.tryAgain)}`,
        )}
        ${scene(
          'ELSEWHERE',
          texts.elsewhereTitle,
          html`<p class="lead">${texts.elsewhere}</p>
            <p><a class="button secondary" href="/account">${texts.toAccount}</a></p>`,
        )}
        <div class="foot" data-running ${state.expiresAt === undefined && html`hidden`}>
          <p class="countdown" data-countdown>${texts.timeLeft} <span class="clock" role="timer" data-clock></span></p>
          <form method="post" action="/waiting/cancel"><button class="link" data-testid="cancel">${texts.cancel}</button></form>
        </div>
        <p class="visually-hidden" role="status" aria-live="polite" data-announcer></p>
      </div>`,
    };
  };

const code = ({ login, payload }: WaitingOptions, texts: Texts): Markup =>
  html` ${pushNote(login, texts)}
    <div class="ways">
      <div class="qr-panel">${qrPicture(payload, texts.qrLabel)}</div>
      <ol class="steps">
        <li>${texts.step1}</li>
        <li>${texts.step2}</li>
        <li>${texts.step3}</li>
      </ol>
    </div>
    <form class="aside" method="post" action="/waiting/again">
      <p>${texts.onThisDevice} <button class="link" name="device" value="THIS_DEVICE" data-testid="use-this-device">${texts.openHere}</button></p>
    </form>`;

const pushNote = ({ pending }: LoginInProgress, texts: Texts): Markup => {
  if (pending.pushStatus === 'DISPATCHED') return html`<p class="notice" data-testid="push-note">${texts.pushed}</p>`;
  if (pending.pushStatus === 'NO_DEVICE') return html`<p class="notice" data-testid="push-note">${texts.noPhone}</p>`;
  return html`<p class="lead">${texts.scanLead}</p>`;
};

const links = ({ payload, appUrl }: WaitingOptions, texts: Texts): Markup =>
  html` <p class="lead">${texts.linkLead}</p>
    <div class="actions">
      <a class="button" href="${payload}" data-testid="open-app">${texts.openApp}</a>
      ${appUrl !== undefined && html`<a class="button secondary" href="${webPhoneLink(appUrl, payload)}" data-testid="open-web-phone">${texts.openWebPhone}</a>`}
    </div>
    <form class="aside" method="post" action="/waiting/again">
      <p>
        ${texts.onAnotherDevice}
        <button class="link" name="device" value="ANOTHER_DEVICE" data-testid="use-another-device">${texts.showCode}</button>
      </p>
    </form>`;

const again = (label: string): Markup =>
  html`<form method="post" action="/waiting/again"><button class="button" data-testid="again">${label}</button></form>`;
