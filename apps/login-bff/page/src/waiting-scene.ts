import { el, localeOf, scanUri, signedDocuments, webPhoneLink } from '#web-page/browser';
import type { Language } from '#web-page/browser';
import { watchAppLink } from '#clients/relying-party/browser';
import type { Login, LoginState } from './login-state.js';
import type { Messages } from './messages/messages.js';
import { qrModules, qrPicture, RETURN_MARK } from './qr-picture.js';
import { moduleSize } from './qr-size.js';
import { inAppWarning, sameBrowserHint } from './same-browser.js';

export interface PhoneAddresses {
  readonly loginUrl: string;
  readonly appScheme: string;
  /** The address of the web phone, if there is one. */
  readonly appUrl?: string;
}

type Waiting = Extract<LoginState, { kind: 'WAITING' }>;

/** The document of a signature, or its documents, as the phone shows it; nothing for a login. */
export const documentOf = (login: Login, texts: Messages, language: Language): HTMLElement | undefined => {
  const { signedDataName: name, signedDataHash: hash, signedDataSize: size } = login;
  const documents = login.documents ?? (name === undefined || hash === undefined ? [] : [{ name, hash, ...(size !== undefined && { size }) }]);
  if (documents.length === 0) return undefined;
  const words = { document: texts.document, fingerprint: texts.fingerprint, fingerprintHint: texts.fingerprintHint };
  return signedDocuments(documents, words, localeOf(language, navigator.languages));
};

/** Shows the ways to the phone: a code for the camera of another device, links for this one. */
export class WaitingScene {
  private readonly openApp: HTMLAnchorElement;
  private readonly openWebPhone: HTMLAnchorElement;
  private readonly noApp = el('p', { class: 'banner', role: 'status', 'data-testid': 'no-app' });
  private readonly code = el('div', { class: 'qr-panel', 'data-testid': 'qr' });
  private payload = '';
  private readonly fits = (): void => this.fit();

  constructor(
    private readonly texts: Messages,
    private readonly addresses: PhoneAddresses,
    private readonly language: Language,
  ) {
    this.openApp = el('a', { class: 'button', 'data-testid': 'open-app' }, texts.openApp);
    watchAppLink(this.openApp, () => (this.noApp.textContent = texts.noApp));
    this.openWebPhone = el('a', { class: 'button secondary', 'data-testid': 'open-web-phone' }, texts.openWebPhone);
  }

  draw(state: Waiting, notice?: string): readonly Node[] {
    const { texts } = this;
    const signing = state.login.signatureType === 'SIGNING';
    const steps = [texts.step1, texts.step2, signing ? texts.step3Sign : texts.step3].map((step) => el('li', {}, step));
    const buttons = el('div', { class: 'buttons' }, this.openApp, this.addresses.appUrl !== undefined && this.openWebPhone);
    this.update(state);
    addEventListener('resize', this.fits);
    return [
      el('p', { class: 'status lead', 'data-testid': 'status' }, texts.scan),
      ...(notice === undefined ? [] : [el('p', { class: 'banner', 'data-testid': 'notice' }, notice)]),
      el(
        'div',
        { class: 'ways' },
        el('div', { class: 'words' }, documentOf(state.login, texts, this.language), el('ol', { class: 'steps' }, ...steps)),
        el(
          'section',
          { class: 'this-device', 'aria-label': texts.thisPhone },
          el('p', {}, texts.thisPhone),
          inAppWarning(state.login, texts),
          buttons,
          this.noApp,
          sameBrowserHint(state.login, texts),
        ),
        el('p', { class: 'or' }, texts.or),
        this.code,
      ),
    ];
  }

  /** Runs when the nodes are in the page, whose room decides how large the code is. */
  fit(): void {
    const modules = qrModules(this.payload).length;
    const picture = this.code.firstElementChild;
    // The picture that is drawn now must not hold the panel open.
    picture?.setAttribute('width', '0');
    const { paddingLeft, paddingRight } = getComputedStyle(this.code);
    const width = this.code.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const size = moduleSize(modules, { width, windowHeight: innerHeight, pixelRatio: devicePixelRatio }) * modules;
    picture?.setAttribute('width', String(size));
    picture?.setAttribute('height', String(size));
  }

  leave(): void {
    removeEventListener('resize', this.fits);
  }

  /** A rotating code: only the picture and the links change, so that the focus is not lost every second. */
  update({ login, qrPayload }: Waiting): void {
    const payload = qrPayload ?? this.payloadOf(login.sessionId);
    if (payload === this.payload) return;
    this.payload = payload;
    this.openApp.href = payload;
    if (this.addresses.appUrl !== undefined) this.openWebPhone.href = webPhoneLink(this.addresses.appUrl, payload);
    this.code.replaceChildren(qrPicture(payload, this.texts.qrLabel));
    if (this.code.isConnected) this.fit();
  }

  private payloadOf(sessionId: string): string {
    return scanUri(this.addresses.appScheme, sessionId, `${this.addresses.loginUrl.replace(/\/+$/, '')}/${RETURN_MARK}`);
  }
}
