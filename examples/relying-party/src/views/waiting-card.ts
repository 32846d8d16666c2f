import { type SessionState, webPhoneLink } from '#clients/relying-party';

import type { Texts } from '../messages/messages.js';
import { html, type Markup } from './html.js';
import { qrPicture } from './qr-picture.js';

/** The phone's request that a page waits for. */
export interface AwaitedRequest {
  readonly state: SessionState;
  readonly payload: string;
  readonly appUrl: string | undefined;
  /** Of a pushed request: the number to choose on the phone. */
  readonly verificationCode: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** One scene of a page that waits for the phone. */
interface WaitingScene<Name extends string> {
  readonly name: Name;
  readonly heading: string;
  readonly body: Markup;
}

interface WaitingCard<Name extends string> {
  /** The kind of request that is awaited; `data-testid` of the card, and the first part of its addresses. */
  readonly kind: 'waiting' | 'signing';
  /** The query of the status call. */
  readonly query: string;
  /** The name of the document, for the script. */
  readonly name?: string;
  readonly request: AwaitedRequest;
  readonly shown: Name;
  readonly scenes: readonly WaitingScene<Name>[];
  /** The address that withdraws the request. */
  readonly cancel: string;
}

/** The card with all scenes, of which it shows one; the script shows the later ones. Below them the time that is left, and a way to cancel. */
export const waitingCard = <Name extends string>(
  { kind, query, name, request: { state, now, verificationCode }, shown, scenes, cancel }: WaitingCard<Name>,
  texts: Texts,
): Markup =>
  html` <div
    class="card waiting"
    data-testid="${kind}"
    ${name !== undefined && html`data-name="${name}"`}
    data-status-url="/${kind}/status?${query}"
    data-status="${state.status}"
    data-scene-shown="${shown}"
    data-expires-at="${state.expiresAt}"
    data-now="${now}"
  >
    <p class="banner" data-offline hidden>${texts.offline}</p>
    ${scenes.map((scene) => sceneSection(scene, shown))}
    <div class="running" data-running ${state.expiresAt === undefined && html`hidden`}>
      ${
        verificationCode !== undefined &&
        html`<p class="verification">${texts.chooseCode} <strong data-testid="verification-code">${verificationCode}</strong></p>`
      }
      <div class="foot">
        <p class="countdown" data-countdown>${texts.timeLeft} <span class="clock" role="timer" data-clock></span></p>
        <form method="post" action="${cancel}"><button class="link" data-testid="cancel">${texts.cancel}</button></form>
      </div>
    </div>
    <p class="visually-hidden" role="status" aria-live="polite" data-announcer></p>
  </div>`;

const sceneSection = <Name extends string>({ name, heading, body }: WaitingScene<Name>, shown: Name): Markup =>
  html` <section class="scene" data-scene="${name}" ${name !== shown && html`hidden`}>
    <h1 tabindex="-1">${heading}</h1>
    ${body}
  </section>`;

/** One paragraph, and a way on. */
export const ending = (text: string, way: Markup): Markup =>
  html`<p class="lead">${text}</p>
    ${way}`;

/** The code beside the three steps. */
export const codeAndSteps = ({ payload }: AwaitedRequest, lastStep: string, texts: Texts): Markup =>
  html` <div class="ways">
    <div class="qr-panel">${qrPicture(payload, texts.qrLabel)}</div>
    <ol class="steps">
      <li>${texts.step1}</li>
      <li>${texts.step2}</li>
      <li>${lastStep}</li>
    </ol>
  </div>`;

/**
 * The ways to the app on this device. The script says below them that no app has opened.
 *
 * @param aside they stand beside a code, and the web phone must not take the place of this page
 */
export const linksToApp = ({ payload, appUrl }: AwaitedRequest, texts: Texts, aside = false): Markup =>
  html` <div class="actions">
      <a class="${aside ? 'button secondary' : 'button'}" href="${payload}" data-open-app data-testid="open-app">${texts.openApp}</a>
      ${
        appUrl !== undefined &&
        html`<a
          class="button secondary"
          href="${webPhoneLink(appUrl, payload)}"
          ${aside && html`target="_blank" rel="noopener"`}
          data-testid="open-web-phone"
          >${texts.openWebPhone}</a
        >`
      }
    </div>
    <p class="banner" role="status" data-no-app="${texts.noApp}" data-testid="no-app"></p>`;
