import { clockText, el, foreignName, type Language, languageSwitch, mark, secondsLeft, sentenceNodes } from '#web-page/browser';
import { announcementOf, endText } from './announcement.js';
import { picture } from './end-picture.js';
import { END_TEXTS } from './end-texts.js';
import type { LoginView } from './login-flow.js';
import type { End, Login, LoginState } from './login-state.js';
import { loadMessages, type Messages } from './messages/messages.js';
import { numberScene } from './number-scene.js';
import { progress } from './progress.js';
import { type PushActions, pushScene, verificationCode } from './push-scene.js';
import { relyingPartyLine } from './relying-party-line.js';
import { documentOf, type PhoneAddresses, WaitingScene } from './waiting-scene.js';

export interface PageSettings extends PhoneAddresses {
  /** Epoch milliseconds of the service; undefined while they are not known. */
  readonly now: () => number | undefined;
  /** Whether there is somewhere to go: a page before this one, or the address of the relying party. */
  readonly canGoBack: (url: string | undefined) => boolean;
  readonly goBack: (url: string | undefined) => void;
  /** Withdraws the request; answers whether it did. */
  readonly cancel: () => Promise<boolean>;
  readonly pushAgain: PushActions['pushAgain'];
  readonly enterNumber: (number: string) => void;
}

const HALF_MINUTE = 30;

/**
 * Draws the state. The frame around it stays the same element all the time: a screen reader announces changes through one
 * live region, and the focus moves only when the focused element is gone.
 */
export class LoginPage {
  private view: LoginView = { state: { kind: 'STARTING' }, offline: false };
  private drawn: LoginState['kind'] | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private halfMinuteAnnounced = false;
  private waiting: WaitingScene | undefined;
  /** The person asked for the code of a pushed request. The text gives the reason if the push failed. */
  private code: { readonly reason?: string } | undefined;

  private readonly heading = el('h1', { tabindex: -1, 'data-testid': 'title' });
  private readonly forWhom = el('p', { class: 'for-whom', 'data-testid': 'relying-party' });
  private readonly offline = el('p', { class: 'banner', hidden: true, 'data-testid': 'offline' });
  private readonly announcer = el('p', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });
  private readonly scene = el('div', { class: 'scene' });
  private readonly header = el('header', { class: 'page-header' });

  constructor(
    root: HTMLElement,
    private language: Language,
    private messages: Messages,
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
    if (state.kind === 'CANCELLED') return;
    if (state.kind === 'WAITING' && this.drawn === 'WAITING') this.waiting?.update(state);
    else this.drawScene();
    this.showConnection();
    if (state.kind === 'ENDED' || focusWasInside) this.heading.focus();
  }

  /** The page keeps its language if the new one cannot be loaded, as without a connection. */
  private async speak(language: Language): Promise<void> {
    const messages = await loadMessages(language).catch(() => undefined);
    if (messages !== undefined) [this.language, this.messages] = [language, messages];
    this.redraw();
    this.header.querySelector('select')?.focus();
  }

  private redraw(): void {
    document.documentElement.lang = this.language;
    const brand = el('span', { class: 'brand' }, mark(), 'Countersign');
    const choose = languageSwitch(this.messages.language, this.language, (language) => void this.speak(language));
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
    const signing = 'login' in state && state.login?.signatureType === 'SIGNING';
    this.heading.textContent = texts[end?.title ?? (signing ? 'titleSign' : 'title')];
    document.title = `${this.heading.textContent} · Countersign`;
    document.documentElement.dataset['state'] = state.kind === 'ENDED' ? state.end : state.kind;
    this.showRelyingParty(state);
    this.waiting?.leave();
    this.waiting = undefined;
    this.scene.replaceChildren(...this.sceneOf(state));
    (this.waiting as WaitingScene | undefined)?.fit();
  }

  private showRelyingParty(state: LoginState): void {
    const login = 'login' in state ? state.login : undefined;
    this.forWhom.hidden = login?.relyingPartyName === undefined;
    this.forWhom.replaceChildren(...(login ? relyingPartyLine(login, this.messages, this.settings.loginUrl) : []));
  }

  private sceneOf(state: LoginState): readonly Node[] {
    const texts = this.messages;
    switch (state.kind) {
      case 'STARTING':
      case 'CANCELLED':
        return [
          el('p', { class: 'status', 'data-testid': 'status' }, texts.starting),
          el('p', { class: 'detail' }, texts.step1),
          el('div', { class: 'qr-skeleton', 'aria-hidden': 'true' }),
        ];
      case 'WAITING':
        return [...this.waitingScene(state), this.foot(state.login)];
      case 'SCANNED':
        return [...this.phoneHasIt(state.login, false), this.foot(state.login)];
      case 'NUMBER':
        return numberScene(texts, this.settings.enterNumber);
      case 'COMPLETING':
      case 'REDIRECTING':
        return this.phoneHasIt(state.login, true);
      case 'ENDED':
        return this.ended(state.end, state.login);
    }
  }

  private waitingScene(state: Extract<LoginState, { kind: 'WAITING' }>): readonly Node[] {
    const pushed = state.login.pushStatus === 'DISPATCHED' && this.code === undefined;
    document.documentElement.dataset['way'] = pushed ? 'PUSH' : 'CODE';
    if (pushed) {
      const showCode = (reason?: string): void => {
        this.code = reason === undefined ? {} : { reason };
        this.redraw();
        this.heading.focus();
      };
      return pushScene(this.messages, state.login, { pushAgain: this.settings.pushAgain, showCode });
    }
    this.waiting = new WaitingScene(this.messages, this.settings, this.language);
    return this.waiting.draw(state, this.code?.reason);
  }

  private phoneHasIt(login: Login, confirmed: boolean): readonly Node[] {
    const texts = this.messages;
    const signing = login.signatureType === 'SIGNING';
    const [status, detail] = confirmed
      ? [signing ? texts.completingSign : texts.completing, texts.completingDetail]
      : [signing ? texts.scannedSign : texts.scanned, texts.scannedDetail];
    const document = confirmed ? undefined : documentOf(login, texts, this.language);
    return [
      progress(texts, { signing, confirmed }),
      el('div', { class: confirmed ? 'pulse done' : 'emblem busy', 'aria-hidden': 'true' }, confirmed ? mark() : picture('PHONE')),
      el('p', { class: 'status', 'data-testid': 'status' }, status),
      el('p', { class: 'detail' }, sentenceNodes(detail, { name: this.nameOf(login) })),
      ...(confirmed ? [] : verificationCode(texts, login)),
      ...(document ? [document] : []),
    ];
  }

  /** The time that is left, and the way out. */
  private foot(login: Login): HTMLElement {
    const cancel = el('button', { class: 'button quiet', type: 'button', 'data-testid': 'cancel' }, this.messages.cancel);
    cancel.addEventListener('click', () => {
      cancel.disabled = true;
      void this.settings.cancel().then((cancelled) => {
        if (!cancelled) cancel.disabled = false;
        // With OpenID Connect the flow sends the browser back.
        else if (login.endUrl === undefined) this.settings.goBack(login.relyingPartyUrl);
      });
    });
    return el('div', { class: 'foot' }, this.countdown(login), cancel);
  }

  private countdown({ expiresAt }: Login): HTMLElement {
    const clock = el('span', { class: 'clock', 'data-testid': 'countdown' });
    const line = el('p', { class: 'countdown', role: 'timer' }, `${this.messages.timeLeft} `, clock);
    if (expiresAt === undefined) {
      line.hidden = true;
      return line;
    }
    const tick = (): void => {
      const now = this.settings.now();
      line.hidden = now === undefined;
      if (now === undefined) return;
      const seconds = secondsLeft(expiresAt, now);
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
    // Each sentence gets a node of its own: a node that is put into a second one leaves the first.
    const sentence = (template: string): DocumentFragment => sentenceNodes(template, { name: this.nameOf(login) });
    const close = el('p', { class: 'detail', 'data-testid': 'close' }, sentence(texts.close));
    const url = login?.relyingPartyUrl;
    const goBack = (): void => this.settings.goBack(url);
    const way = this.settings.canGoBack(url)
      ? el(
          'button',
          { class: 'button', type: 'button', click: goBack, 'data-testid': 'back' },
          el('span', {}, login?.relyingPartyName === undefined ? texts.stepBack : sentence(texts.back)),
        )
      : close;
    return [
      el('div', { class: 'emblem' }, picture(END_TEXTS[end].picture)),
      el('p', { class: 'detail', 'data-testid': 'status' }, sentence(texts[endText(end, login)])),
      way,
    ];
  }

  private nameOf(login: Login | undefined): Node | string {
    return login?.relyingPartyName === undefined ? this.messages.someService : foreignName(login.relyingPartyName);
  }
}
