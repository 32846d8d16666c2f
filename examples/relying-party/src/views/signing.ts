import { type SessionState, webPhoneLink } from '#relying-party-client';

import type { Texts } from '../messages/messages.js';
import type { SigningInProgress } from '../visitor.js';
import { html, type Markup } from './html.js';
import type { View } from './layout.js';
import { qrPicture } from './qr-picture.js';
import { scriptWords } from './script-words.js';

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
export const signingPage =
  (options: SigningOptions): View =>
  (texts) => {
    const { signing, state, now } = options;
    const shown = signingSceneOf(state);
    const scene = (name: SigningScene, heading: string, body: Markup): Markup =>
      html` <section class="scene" data-scene="${name}" ${name !== shown && html`hidden`}>
        <h1 tabindex="-1">${heading}</h1>
        ${body}
      </section>`;
    return {
      title: texts.sign,
      scripted: true,
      words: scriptWords(texts),
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
        <p class="banner" data-offline hidden>${texts.offline}</p>
        ${scene('PENDING', texts.signWithPhone, code(options, texts))}
        ${scene(
          'SCANNED',
          texts.signOnPhone,
          html` <p class="lead">${texts.compare}</p>
            ${facts(signing, texts)}`,
        )}
        ${scene(
          'SIGNED',
          texts.signedTitle,
          html` <p class="lead" role="status" data-progress>${texts.building}</p>
            <p class="banner" role="alert" data-problem data-testid="problem" hidden></p>
            <label class="field" data-file-again hidden>
              <span>${texts.onceMore}</span>
              <input type="file" data-file data-testid="file-again" />
              <small>${texts.onceMoreHint}</small>
            </label>
            <p data-ready hidden><a class="button" href="#" data-download data-testid="download">${texts.download}</a></p>
            ${facts(signing, texts, signedFacts(texts))} ${verification(signing, texts)}
            <p class="hint">${texts.kept}</p>`,
        )}
        ${scene(
          'CANCELLED',
          texts.notSignedTitle,
          html`<p class="lead">${texts.notSigned}</p>
            ${again(texts)}`,
        )}
        ${scene(
          'EXPIRED',
          texts.expiredTitle,
          html`<p class="lead">${texts.signExpired}</p>
            ${again(texts)}`,
        )}
        ${scene(
          'ELSEWHERE',
          texts.signElsewhereTitle,
          html`<p class="lead">${texts.signElsewhere}</p>
            ${again(texts)}`,
        )}
        <div class="foot" data-running ${state.expiresAt === undefined && html`hidden`}>
          <p class="countdown" data-countdown>${texts.timeLeft} <span class="clock" role="timer" data-clock></span></p>
          <form method="post" action="/signing/cancel"><button class="link" data-testid="cancel">${texts.cancel}</button></form>
        </div>
        <p class="visually-hidden" role="status" aria-live="polite" data-announcer></p>
      </div>`,
    };
  };

const code = (options: SigningOptions, texts: Texts): Markup =>
  html` <p class="lead">${texts.signScan}</p>
    <div class="ways">
      <div class="qr-panel">${qrPicture(options.payload, texts.qrLabel)}</div>
      <ol class="steps">
        <li>${texts.step1}</li>
        <li>${texts.step2}</li>
        <li>${texts.signStep3}</li>
      </ol>
    </div>
    ${facts(options.signing, texts)}
    <p class="aside">
      ${texts.onThisDevice} <a href="${options.payload}" data-testid="open-app">${texts.openHere}</a>
      ${
        options.appUrl !== undefined &&
        html`<a href="${webPhoneLink(options.appUrl, options.payload)}" target="_blank" rel="noopener" data-testid="open-web-phone"
          >${texts.openWebPhone}</a
        >`
      }
    </p>`;

const facts = ({ name, pending }: SigningInProgress, texts: Texts, more?: Markup): Markup =>
  html` <dl class="facts">
    <div>
      <dt>${texts.document}</dt>
      <dd><bdi data-testid="document-name">${name}</bdi></dd>
    </div>
    ${more}
    <div>
      <dt>${texts.fingerprint}</dt>
      <dd><code class="fingerprint" data-testid="document-hash">${inGroups(pending.signedDataHash)}</code></dd>
    </div>
  </dl>`;

/** Filled by the script once the signature can be fetched. */
const signedFacts = (texts: Texts): Markup =>
  html` <div data-signature hidden>
      <dt>${texts.signer}</dt>
      <dd><bdi data-signer data-testid="signer"></bdi></dd>
    </div>
    <div data-signature hidden>
      <dt>${texts.signedAt}</dt>
      <dd><time data-signed-at data-testid="signed-at"></time></dd>
    </div>
    <div>
      <dt>${texts.trust}</dt>
      <dd data-testid="trust">${texts.trustText}</dd>
    </div>`;

const verification = ({ name }: SigningInProgress, texts: Texts): Markup =>
  html` <details data-testid="verify">
    <summary>${texts.verify}</summary>
    <p class="hint">${texts.verifyText}</p>
    <p>
      <code>npm run cli -- verify <bdi>${inShell(`${name}.asice`)}</bdi></code>
    </p>
  </details>`;

/** A name as one word of a POSIX shell. */
const inShell = (name: string): string => `'${name.replaceAll("'", "'\\''")}'`;

/** In groups, the first and the last one emphasised, as the phone shows it. */
const inGroups = (digits: string): readonly Markup[] => {
  const groups = digits.match(/.{1,8}/g) ?? [];
  return groups.map((group, index) => (index === 0 || index === groups.length - 1 ? html`<strong>${group}</strong> ` : html`<span>${group}</span> `));
};

const again = (texts: Texts): Markup => html`<p><a class="button" href="/sign" data-testid="again">${texts.chooseDocument}</a></p>`;
