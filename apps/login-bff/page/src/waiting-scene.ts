import { el, scanUri, webPhoneLink } from '#web-page/browser';
import type { LoginState } from './login-state.js';
import type { Messages } from './messages/messages.js';
import { qrPicture } from './qr-picture.js';

export interface PhoneAddresses {
  readonly loginUrl: string;
  readonly appScheme: string;
  /** The address of the web phone, where there is one. */
  readonly appUrl?: string;
}

type Waiting = Extract<LoginState, { kind: 'WAITING' }>;

/** Shows the ways to the phone: a code for the camera of another device, links for this one. */
export class WaitingScene {
  private readonly openApp: HTMLAnchorElement;
  private readonly openWebPhone: HTMLAnchorElement;
  private readonly code = el('div', { class: 'qr-panel', 'data-testid': 'qr' });
  private payload = '';

  constructor(
    private readonly texts: Messages,
    private readonly addresses: PhoneAddresses,
  ) {
    this.openApp = el('a', { class: 'button', 'data-testid': 'open-app' }, texts.openApp);
    this.openWebPhone = el('a', { class: 'button secondary', 'data-testid': 'open-web-phone' }, texts.openWebPhone);
  }

  draw(state: Waiting): readonly Node[] {
    const { texts } = this;
    const steps = [texts.step1, texts.step2, texts.step3].map((step) => el('li', {}, step));
    const buttons = el('div', { class: 'buttons' }, this.openApp, this.addresses.appUrl !== undefined && this.openWebPhone);
    this.update(state);
    return [
      el('p', { class: 'status lead', 'data-testid': 'status' }, texts.scan),
      el(
        'div',
        { class: 'ways' },
        el('ol', { class: 'steps' }, ...steps),
        el('section', { class: 'this-device', 'aria-label': texts.thisPhone }, el('p', {}, texts.thisPhone), buttons),
        el('p', { class: 'or' }, texts.or),
        this.code,
      ),
    ];
  }

  /** A rotating code: only the picture and the links change, so that the focus is not lost every second. */
  update({ login, qrPayload }: Waiting): void {
    const payload = qrPayload ?? this.payloadOf(login.sessionId);
    if (payload === this.payload) return;
    this.payload = payload;
    this.openApp.href = payload;
    if (this.addresses.appUrl !== undefined) this.openWebPhone.href = webPhoneLink(this.addresses.appUrl, payload);
    this.code.replaceChildren(qrPicture(payload, this.texts.qrLabel));
  }

  private payloadOf(sessionId: string): string {
    const returnUrl = `${this.addresses.loginUrl.replace(/\/+$/, '')}/#${sessionId}`;
    return scanUri(this.addresses.appScheme, sessionId, returnUrl);
  }
}
