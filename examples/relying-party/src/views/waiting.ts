import { type SessionState, webPhoneLink } from '#relying-party-client';

import type { LoginInProgress } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { Page } from './layout.js';
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

export const waitingPage = (options: WaitingOptions): Page => {
  const { login, state, mayComplete, now } = options;
  const shown = sceneOf(state, mayComplete);
  const scene = (name: Scene, heading: string, body: Markup): Markup =>
    html` <section class="scene" data-scene="${name}" ${name !== shown && html`hidden`}>
      <h1 tabindex="-1">${heading}</h1>
      ${body}
    </section>`;
  return {
    title: 'Log in',
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
      <p class="banner" data-offline hidden>The connection is gone. We go on as soon as it is back.</p>
      ${scene('PENDING', 'Log in with your phone', login.device === 'THIS_DEVICE' ? links(options) : code(options))}
      ${scene('SCANNED', 'Now confirm on your phone', html`<p class="lead">Check that your phone names the library, then enter your PIN.</p>`)}
      ${scene(
        'APPROVED',
        'Approved',
        html` <p class="lead">One moment, we are opening your account.</p>
          <form method="post" action="/waiting/completion" data-complete><button class="button">Open your account</button></form>`,
      )}
      ${scene(
        'GO_BACK_THROUGH_THE_APP',
        'Approved. Now come back through the app',
        html` <p class="lead">Let the app bring you back here. That is how the library knows that it was you who began this login.</p>`,
      )}
      ${scene(
        'CANCELLED',
        'You said no',
        html`<p class="lead">The login was declined on the phone. Nothing has happened here.</p>
          ${again('Try again')}`,
      )}
      ${scene(
        'EXPIRED',
        'The time is up',
        html`<p class="lead">Nobody confirmed in time.</p>
          ${again('Try again')}`,
      )}
      ${scene(
        'ELSEWHERE',
        'This login went on elsewhere',
        html`<p class="lead">It was finished, or begun anew, in another tab.</p>
          <p><a class="button secondary" href="/account">Go to your account</a></p>`,
      )}
      <div class="foot" data-running ${state.expiresAt === undefined && html`hidden`}>
        <p class="countdown" data-countdown>Time left <span class="clock" role="timer" data-clock></span></p>
        <form method="post" action="/waiting/cancel"><button class="link" data-testid="cancel">Cancel</button></form>
      </div>
      <p class="visually-hidden" role="status" aria-live="polite" data-announcer></p>
    </div>`,
  };
};

const code = ({ login, payload }: WaitingOptions): Markup =>
  html` ${pushNote(login)}
    <div class="ways">
      <div class="qr-panel">${qrPicture(payload, 'QR code for the app on your phone')}</div>
      <ol class="steps">
        <li>Open the app on your phone.</li>
        <li>Scan this code.</li>
        <li>Check the name, then enter your PIN.</li>
      </ol>
    </div>
    <form class="aside" method="post" action="/waiting/again">
      <p>The app is on this device? <button class="link" name="device" value="THIS_DEVICE" data-testid="use-this-device">Open it here</button></p>
    </form>`;

const pushNote = ({ pending }: LoginInProgress): Markup | false => {
  if (pending.pushStatus === 'DISPATCHED')
    return html`<p class="notice" data-testid="push-note">We have called your phone. You can also scan the code.</p>`;
  if (pending.pushStatus === 'NO_DEVICE')
    return html`<p class="notice" data-testid="push-note">We know of no phone to call. Please scan the code.</p>`;
  return html`<p class="lead">Scan the code with the app. Only if you started this login yourself.</p>`;
};

const links = ({ payload, appUrl }: WaitingOptions): Markup =>
  html` <p class="lead">Open the app, confirm with your PIN, and let it bring you back here.</p>
    <div class="actions">
      <a class="button" href="${payload}" data-testid="open-app">Open the app</a>
      ${appUrl !== undefined && html`<a class="button secondary" href="${webPhoneLink(appUrl, payload)}" data-testid="open-web-phone">Open the web phone</a>`}
    </div>
    <form class="aside" method="post" action="/waiting/again">
      <p>
        The app is on another device?
        <button class="link" name="device" value="ANOTHER_DEVICE" data-testid="use-another-device">Show a QR code</button>
      </p>
    </form>`;

const again = (label: string): Markup =>
  html`<form method="post" action="/waiting/again"><button class="button" data-testid="again">${label}</button></form>`;
