import { el, type Language, languageSwitch, localeOf, mark } from '#web-page/browser';
import type { Phone } from '../flow/phone.js';
import type { BlockedClients } from '../flow/blocked-clients.js';
import type { LogOuts } from '../flow/log-outs.js';
import type { PushWakeUps } from '../flow/push-wake-ups.js';
import type { PhoneState } from '../flow/phone-state.js';
import { loadMessages, type Messages } from '../messages/messages.js';
import { choosePinScreen, codeScreen, holderScreen, repeatPinScreen } from './enrol-screens.js';
import { homeScreen } from './home-screen.js';
import { revokeScreen } from './other-devices.js';
import { outcomeScreen, revokedScreen } from './outcome-screens.js';
import { previewScreen } from './preview-screen.js';
import { rememberScreen } from './redraw.js';
import { chooseCodeScreen, consentScreen, pinScreen } from './request-screens.js';
import { busy, type Screen } from './screen.js';

export interface PhonePageParts {
  readonly now: () => number;
  readonly goBack: (url: string) => void;
  readonly pushes: PushWakeUps;
  readonly blocked: BlockedClients;
  readonly logOuts: LogOuts;
}

/** Draws one state at a time. Each new screen takes the focus: its PIN field if it has one, else its title. */
export class PhonePage {
  private phone: Phone | undefined;
  private leaving: (() => void)[] = [];
  private readonly header = el('header', { class: 'page-header' });
  private readonly card = el('main', { class: 'card' });
  private readonly announcer = el('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  constructor(
    root: HTMLElement,
    private language: Language,
    private texts: Messages,
    private readonly parts: PhonePageParts,
  ) {
    root.replaceChildren(this.header, this.card, this.announcer);
    this.drawHeader();
    this.replace(busy(texts.loading));
  }

  attach(phone: Phone): void {
    this.phone = phone;
  }

  show(state: PhoneState): void {
    const { phone } = this;
    if (phone === undefined) return;
    const same = this.card.dataset['state'] === state.kind;
    const repeat = same ? rememberScreen(this.card) : undefined;
    this.leave();
    this.card.dataset['state'] = state.kind;
    this.replace(this.nodes(state, this.screen(phone)), same);
    repeat?.(this.card);
  }

  private nodes(state: PhoneState, screen: Screen): readonly Node[] {
    const { texts } = screen;
    switch (state.kind) {
      case 'LOADING':
      case 'ENROL_LOOKING':
        return busy(texts.loading);
      case 'ENROL_CODE':
        return codeScreen(screen, state);
      case 'ENROL_HOLDER':
        return holderScreen(screen, state);
      case 'ENROL_PIN':
        return choosePinScreen(screen, state);
      case 'ENROL_PIN_AGAIN':
        return repeatPinScreen(screen);
      case 'ENROLLING':
        return busy(texts.enrolling);
      case 'HOME':
        return homeScreen(screen, state, (make) => {
          this.leave();
          this.replace(make());
        });
      case 'REVOKE':
        return revokeScreen(screen, state);
      case 'REVOKING':
        return busy(texts.loading);
      case 'PREVIEW':
        return previewScreen(screen, state);
      case 'LOOKING':
      case 'OPENING':
        return busy(texts.opening);
      case 'CONSENT':
        return consentScreen(screen, state);
      case 'CODE':
        return chooseCodeScreen(screen, state);
      case 'PIN':
        return pinScreen(screen, state);
      case 'CONFIRMING':
        return busy(state.request.signatureType === 'SIGNING' ? texts.signing : texts.confirming);
      case 'DECLINING':
        return busy(texts.declining);
      case 'OUTCOME':
        return outcomeScreen(screen, state);
      case 'REVOKED':
        return revokedScreen(screen);
    }
  }

  private screen(phone: Phone): Screen {
    return {
      texts: this.texts,
      language: this.language,
      date: (at, style = 'MINUTE') =>
        new Intl.DateTimeFormat(localeOf(this.language, navigator.languages), {
          dateStyle: 'medium',
          ...(style === 'MINUTE' ? { timeStyle: 'short' } : {}),
        }).format(at),
      phone,
      now: this.parts.now,
      goBack: this.parts.goBack,
      pushes: this.parts.pushes,
      blocked: this.parts.blocked,
      logOuts: this.parts.logOuts,
      announce: (text) => (this.announcer.textContent = text),
      onLeave: (end) => this.leaving.push(end),
      redraw: () => this.show(phone.current),
    };
  }

  /** @param redrawn the same screen with a change: the page does not scroll, and a new title is announced */
  private replace(nodes: readonly Node[], redrawn = false): void {
    const [before, held] = [document.title, this.card.contains(document.activeElement)];
    this.card.replaceChildren(...nodes);
    document.title = `${this.card.querySelector('h1')?.textContent ?? ''} · Countersign`;
    if (redrawn && document.title !== before) this.announcer.textContent = this.card.querySelector('h1')?.textContent ?? '';
    if (redrawn && !held) return;
    const pin = this.card.querySelector<HTMLElement>('[data-testid="pin"]');
    (pin ?? this.card.querySelector<HTMLElement>('h1'))?.focus({ preventScroll: true });
    if (pin !== null) this.announcer.textContent = this.card.querySelector('h1')?.textContent ?? '';
    if (!redrawn) scrollTo(0, 0);
  }

  private leave(): void {
    for (const end of this.leaving.splice(0)) end();
  }

  /** The page keeps its language if the new one cannot be loaded, as without a connection. */
  private async speak(language: Language): Promise<void> {
    const texts = await loadMessages(language).catch(() => undefined);
    if (texts !== undefined) [this.language, this.texts] = [language, texts];
    this.drawHeader();
    if (this.phone !== undefined) this.show(this.phone.current);
    this.header.querySelector('select')?.focus();
  }

  private drawHeader(): void {
    document.documentElement.lang = this.language;
    const brand = el('span', { class: 'brand' }, mark(), 'Countersign');
    const choose = languageSwitch(this.texts.language, this.language, (language) => void this.speak(language));
    this.header.replaceChildren(brand, choose);
  }
}
