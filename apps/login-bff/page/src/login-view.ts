import { clockText, currentLanguage, el, foreignName, type Language, languageSwitch, mark, secondsLeft, sentenceNodes } from '#web-page/browser';
import { END_TEXTS } from './end-texts.js';
import type { LoginView } from './login-flow.js';
import type { End, Login, LoginState } from './login-state.js';
import { type Messages, MESSAGES } from './messages/messages.js';
import { announcementOf } from './announcement.js';
import { type PhoneAddresses, WaitingScene } from './waiting-scene.js';

export interface PageSettings extends PhoneAddresses {
  /** Epoch milliseconds of the service. */
  readonly now: () => number;
  readonly goBack: () => void;
}

const HALF_MINUTE = 30;

/**
 * Draws the state. The frame around it stays the same element all the time: a screen reader announces changes through one
 * live region, and the focus moves only when the focused element is gone.
 */
export class LoginPage {
  private language: Language = currentLanguage();
  private view: LoginView = { state: { kind: 'STARTING' }, offline: false };
  private drawn: LoginState['kind'] | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private halfMinuteAnnounced = false;
  private waiting: WaitingScene | undefined;

  private readonly heading = el('h1', { tabindex: -1, 'data-testid': 'title' });
  private readonly forWhom = el('p', { class: 'for-whom', 'data-testid': 'relying-party' });
  private readonly offline = el('p', { class: 'banner', hidden: true, 'data-testid': 'offline' });
  private readonly announcer = el('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  private readonly scene = el('div', { class: 'scene' });
  private readonly header = el('header', { class: 'page-header' });

  constructor(
    root: HTMLElement,
    private readonly settings: PageSettings,
  ) {
    const card = el('main', { class: 'card' }, this.heading, this.forWhom, this.offline, this.scene);
    root.replaceChildren(this.header, card, this.announcer);
    this.redraw();
  }

  show(view: LoginView): void {
    this.view = view;
    const { state } = view;
    if (state.kind === this.drawn && state.kind !== 'WAITING') return this.showConnection();
    const focusWasInside = this.scene.contains(document.activeElement);
    if (state.kind === 'WAITING' && this.drawn === 'WAITING') this.waiting?.update(state);
    else this.drawScene();
    this.showConnection();
    if (state.kind === 'ENDED' || focusWasInside) this.heading.focus();
  }

  private get messages(): Messages {
    return MESSAGES[this.language];
  }

  private redraw(): void {
    document.documentElement.lang = this.language;
    const brand = el('span', { class: 'brand' }, mark(), 'Countersign');
    const choose = languageSwitch(this.messages.language, this.language, (language) => {
      this.language = language;
      this.redraw();
      this.header.querySelector('select')?.focus();
    });
    this.header.replaceChildren(brand, choose);
    this.drawScene();
    this.showConnection();
  }

  private showConnection(): void {
    this.offline.hidden = !this.view.offline;
    this.offline.textContent = this.messages.offline;
    this.announcer.textContent = this.view.offline ? this.messages.offline : announcementOf(this.view.state, this.messages);
  }

  private drawScene(): void {
    const { state } = this.view;
    clearInterval(this.ticking);
    this.drawn = state.kind;
    const texts = this.messages;
    const end = state.kind === 'ENDED' ? END_TEXTS[state.end] : undefined;
    this.heading.textContent = texts[end?.title ?? 'title'];
    document.title = `${texts[end?.title ?? 'title']} · Countersign`;
    document.documentElement.dataset['state'] = state.kind === 'ENDED' ? state.end : state.kind;
    this.showRelyingParty(state);
    this.scene.replaceChildren(...this.sceneOf(state));
  }

  private showRelyingParty(state: LoginState): void {
    const name = 'login' in state ? state.login?.relyingPartyName : undefined;
    this.forWhom.hidden = name === undefined;
    this.forWhom.replaceChildren(sentenceNodes(this.messages.for, { name: foreignName(name ?? '') }));
  }

  private sceneOf(state: LoginState): readonly Node[] {
    const texts = this.messages;
    switch (state.kind) {
      case 'STARTING':
        return [el('p', { class: 'status', 'data-testid': 'status' }, texts.starting)];
      case 'WAITING':
        this.waiting = new WaitingScene(texts, this.settings);
        return [...this.waiting.draw(state), this.countdown(state.login)];
      case 'SCANNED':
        return [
          el('div', { class: 'pulse', 'aria-hidden': 'true' }, mark()),
          el('p', { class: 'status', 'data-testid': 'status' }, texts.scanned),
          el('p', { class: 'detail' }, sentenceNodes(texts.scannedDetail, { name: this.nameOf(state.login) })),
          this.countdown(state.login),
        ];
      case 'COMPLETING':
      case 'REDIRECTING':
        return [
          el('div', { class: 'pulse done', 'aria-hidden': 'true' }, mark()),
          el('p', { class: 'status', 'data-testid': 'status' }, texts.completing),
          el('p', { class: 'detail' }, sentenceNodes(texts.completingDetail, { name: this.nameOf(state.login) })),
        ];
      case 'ENDED':
        return this.ended(state.end, state.login);
    }
  }

  private countdown({ expiresAt }: Login): HTMLElement {
    const clock = el('span', { class: 'clock', 'data-testid': 'countdown' });
    const line = el('p', { class: 'countdown', role: 'timer' }, `${this.messages.timeLeft} `, clock);
    if (expiresAt === undefined) {
      line.hidden = true;
      return line;
    }
    const tick = (): void => {
      const seconds = secondsLeft(expiresAt, this.settings.now());
      clock.textContent = clockText(seconds);
      line.classList.toggle('soon', seconds <= HALF_MINUTE);
      if (seconds <= HALF_MINUTE && seconds > 0 && !this.halfMinuteAnnounced) {
        this.halfMinuteAnnounced = true;
        this.announcer.textContent = this.messages.halfMinute;
      }
    };
    tick();
    this.ticking = setInterval(tick, 500);
    return line;
  }

  private ended(end: End, login: Login | undefined): readonly Node[] {
    const texts = this.messages;
    const text = el('p', { class: 'detail', 'data-testid': 'status' }, sentenceNodes(texts[END_TEXTS[end].text], { name: this.nameOf(login) }));
    if (!END_TEXTS[end].back) return [text];
    const close = el('p', { class: 'detail', hidden: true }, sentenceNodes(texts.close, { name: this.nameOf(login) }));
    const goBack = (): void => {
      this.settings.goBack();
      // This still runs, so there was no page to go back to.
      setTimeout(() => (close.hidden = false), 600);
    };
    const label = el('span', {}, sentenceNodes(texts.back, { name: this.nameOf(login) }));
    return [text, el('button', { class: 'button', type: 'button', click: goBack, 'data-testid': 'back' }, label), close];
  }

  private nameOf(login: Login | undefined): Node | string {
    return login?.relyingPartyName === undefined ? this.messages.someService : foreignName(login.relyingPartyName);
  }
}
