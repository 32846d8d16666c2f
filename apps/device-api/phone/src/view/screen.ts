import { el, foreignName, type Language, sentenceNodes } from '#web-page/browser';
import type { Phone } from '../flow/phone.js';
import type { BlockedClients } from '../flow/blocked-clients.js';
import type { LogOuts } from '../flow/log-outs.js';
import type { PushWakeUps } from '../flow/push-wake-ups.js';
import type { Messages } from '../messages/messages.js';

/** The values that every screen is drawn from. */
export interface Screen {
  readonly texts: Messages;
  readonly language: Language;
  /** Formats a time (epoch milliseconds) for the reader's locale. */
  readonly date: (at: number, style?: 'DAY' | 'MINUTE') => string;
  readonly phone: Phone;
  /** Epoch milliseconds of the service. */
  readonly now: () => number;
  /** Leaves for the page that the person came from. */
  readonly goBack: (url: string) => void;
  readonly pushes: PushWakeUps;
  readonly blocked: BlockedClients;
  readonly logOuts: LogOuts;
  /** Announces a text to a screen reader without moving the focus. */
  readonly announce: (text: string) => void;
  /** Runs when the screen is left: stops cameras and clocks. */
  readonly onLeave: (end: () => void) => void;
  readonly redraw: () => void;
}

/** The screen's title, which gets the focus when the screen appears. */
export const title = (...children: readonly (Node | string)[]): HTMLElement => el('h1', { tabindex: -1, 'data-testid': 'title' }, ...children);

export const paragraph = (text: Node | string, testid?: string): HTMLElement => el('p', { class: 'detail', 'data-testid': testid }, text);

export const button = (text: string, testid: string, click: () => void, kind = ''): HTMLButtonElement =>
  el('button', { type: 'button', class: `button ${kind}`.trim(), 'data-testid': testid, click }, text);

export const fault = (text: string | undefined): HTMLElement | undefined =>
  text === undefined ? undefined : el('p', { class: 'fault', role: 'alert', 'data-testid': 'fault' }, text);

/** A sentence about a relying party, with its name as a text node of its own. */
export const about = (template: string, name: string): DocumentFragment => sentenceNodes(template, { name: foreignName(name) });

/** Who asks for what, as the title of the screen. */
export const asker = (name: string, asks: string): HTMLElement =>
  el(
    'div',
    { class: 'who' },
    el('h1', { tabindex: -1, class: name.length > 28 ? 'party long' : 'party', 'data-testid': 'title' }, foreignName(name)),
    el('p', { class: 'asks' }, asks),
  );

/** Grey bars in the place of values that are being fetched. */
export const skeleton = (bars: number): HTMLElement =>
  el('div', { class: 'skeleton', 'aria-hidden': 'true', 'data-testid': 'skeleton' }, ...Array.from({ length: bars }, () => el('span')));

export const busy = (text: string): readonly Node[] => [
  el('div', { class: 'busy', 'aria-hidden': 'true' }),
  el('h1', { tabindex: -1, class: 'quiet', 'data-testid': 'title' }, text),
];
