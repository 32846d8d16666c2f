import { type SessionState, webPhoneLink } from '#relying-party-client';

import type { SigningInProgress } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { Page } from './layout.js';
import { qrPicture } from './qr-picture.js';

export interface SigningOptions {
  readonly signing: SigningInProgress;
  readonly state: SessionState;
  readonly payload: string;
  readonly appUrl: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The scenes, as on the waiting page of a login. At SIGNED the container can be fetched. */
export type SigningScene = 'PENDING' | 'SCANNED' | 'SIGNED' | 'CANCELLED' | 'EXPIRED' | 'ELSEWHERE';

/** A signing is never CONFIRMED. If it were, the container could not be fetched yet. */
export const signingSceneOf = ({ status }: SessionState): SigningScene => {
  if (status === 'COMPLETED') return 'SIGNED';
  return status === 'CONFIRMED' ? 'SCANNED' : status;
};

/** Waits for the phone. Then the script puts the document into the container and offers both as one file. */
export const signingPage = (options: SigningOptions): Page => {
  const { signing, state, now } = options;
  const shown = signingSceneOf(state);
  const scene = (name: SigningScene, heading: string, body: Markup): Markup =>
    html` <section class="scene" data-scene="${name}" ${name !== shown && html`hidden`}>
      <h1 tabindex="-1">${heading}</h1>
      ${body}
    </section>`;
  return {
    title: 'Sign a document',
    scripted: true,
    main: html` <div
      class="card waiting"
      data-testid="signing"
      data-name="${signing.name}"
      data-status-url="/signing/status?signing=${signing.signingId}"
      data-status="${state.status}"
      data-scene-shown="${shown}"
      data-expires-at="${state.expiresAt}"
      data-now="${now}"
    >
      <p class="banner" data-offline hidden>The connection is gone. We go on as soon as it is back.</p>
      ${scene('PENDING', 'Sign with your phone', code(options))}
      ${scene(
        'SCANNED',
        'Now sign on your phone',
        html` <p class="lead">Compare the name and the fingerprint, then enter your PIN.</p>
          ${facts(signing)}`,
      )}
      ${scene(
        'SIGNED',
        'Signed',
        html` <p class="lead" role="status" data-progress>One moment, we are putting your document into the container.</p>
          <p class="banner" role="alert" data-problem data-testid="problem" hidden></p>
          <label class="field" data-file-again hidden>
            <span>Choose the document once more</span>
            <input type="file" data-file data-testid="file-again" />
            <small>It is put into the container here, in your browser. Nothing is uploaded.</small>
          </label>
          <p data-ready hidden><a class="button" href="#" data-download data-testid="download">Download the signed document</a></p>
          ${facts(signing)}
          <p class="hint">The signature is kept for you for 30 minutes. What you download holds document and signature, for everybody to check.</p>`,
      )}
      ${scene(
        'CANCELLED',
        'Not signed',
        html`<p class="lead">Somebody said no on the phone, or the signature could not be made. Nothing has happened here.</p>
          ${again}`,
      )}
      ${scene(
        'EXPIRED',
        'The time is up',
        html`<p class="lead">Nobody signed in time.</p>
          ${again}`,
      )}
      ${scene(
        'ELSEWHERE',
        'This signing went on elsewhere',
        html`<p class="lead">Another one was begun in another tab.</p>
          ${again}`,
      )}
      <div class="foot" data-running ${state.expiresAt === undefined && html`hidden`}>
        <p class="countdown" data-countdown>Time left <span class="clock" role="timer" data-clock></span></p>
        <form method="post" action="/signing/cancel"><button class="link" data-testid="cancel">Cancel</button></form>
      </div>
      <p class="visually-hidden" role="status" aria-live="polite" data-announcer></p>
    </div>`,
  };
};

const code = (options: SigningOptions): Markup =>
  html` <p class="lead">Scan the code with the app. Only if you want to sign this document.</p>
    <div class="ways">
      <div class="qr-panel">${qrPicture(options.payload, 'QR code for the app on your phone')}</div>
      <ol class="steps">
        <li>Open the app on your phone.</li>
        <li>Scan this code.</li>
        <li>Compare name and fingerprint, then enter your PIN.</li>
      </ol>
    </div>
    ${facts(options.signing)}
    <p class="aside">
      The app is on this device? <a href="${options.payload}" data-testid="open-app">Open it here</a>${
        options.appUrl !== undefined &&
        html` or
          <a href="${webPhoneLink(options.appUrl, options.payload)}" target="_blank" rel="noopener" data-testid="open-web-phone"
            >open the web phone</a
          >`
      }.
    </p>`;

const facts = ({ name, pending }: SigningInProgress): Markup =>
  html` <dl class="facts">
    <div>
      <dt>Document</dt>
      <dd><bdi data-testid="document-name">${name}</bdi></dd>
    </div>
    <div>
      <dt>Fingerprint</dt>
      <dd><code data-testid="document-hash">${inGroups(pending.signedDataHash)}</code></dd>
    </div>
  </dl>`;

/** In groups, as the phone shows it, so that two people can compare it aloud. */
const inGroups = (digits: string): string => digits.replace(/(.{8})(?=.)/g, '$1 ');

const again = html`<p><a class="button" href="/sign" data-testid="again">Choose a document</a></p>`;
