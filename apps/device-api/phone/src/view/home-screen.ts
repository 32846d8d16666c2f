import type { PushedSession } from '#clients/device';
import { el, foreignName, sentenceNodes } from '#web-page/browser';
import type { Notice, PhoneState } from '../flow/phone-state.js';
import type { Messages } from '../messages/messages.js';
import { blockedClients } from './blocked-clients.js';
import { cameraScreen } from './camera-screen.js';
import { devicePanel } from './device-panel.js';
import { historyPanel } from './history-panel.js';
import { newDevices, otherDevices } from './other-devices.js';
import { inboxSentence } from './request-kind.js';
import { button, paragraph, type Screen } from './screen.js';
import { statusPanel } from './status-panel.js';

type Home = Extract<PhoneState, { kind: 'HOME' }>;
type Replace = (make: () => readonly Node[]) => void;

const NOTICES: Readonly<Record<Notice, keyof Messages>> = {
  UNREADABLE: 'unreadable',
  ALREADY_SET_UP: 'alreadySetUp',
  WELCOME: 'welcome',
  PHONE_REMOVED: 'phoneRemoved',
};

/** The state first, then waiting requests, the ways to open a request, and past requests. */
export const homeScreen = (screen: Screen, state: Home, show: Replace): readonly Node[] => {
  const { texts } = screen;
  const { others = [], blocked = [] } = state;
  const notice = state.notice && texts[NOTICES[state.notice]];
  const tone = state.notice === 'WELCOME' || state.notice === 'PHONE_REMOVED' ? 'good' : '';
  return [
    ...statusPanel(screen, state),
    ...(notice === undefined ? [] : [el('p', { class: `banner ${tone}`, role: 'status', 'data-testid': 'notice' }, notice)]),
    ...newDevices(screen, others),
    // A locked phone opens nothing, so it offers nothing.
    ...(state.check.kind === 'LOCKED' ? [] : [...inbox(screen, state.inbox), ways(screen, show)]),
    historyPanel(screen, state),
    ...blockedClients(screen, blocked),
    ...otherDevices(screen, others),
    devicePanel(screen, state.device),
  ];
};

/** The ways to open a request, the usual one first: the camera, a pasted link, a link on this device. */
const ways = (screen: Screen, show: Replace): HTMLElement => {
  const { texts, phone } = screen;
  const openCamera = (): void => show(() => cameraScreen(screen, () => screen.redraw()));
  const input = el('input', {
    id: 'link',
    class: 'field',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    required: true,
    'data-testid': 'link',
  });
  const openLink = (event: Event): void => {
    event.preventDefault();
    void phone.takeText(input.value);
  };
  return el(
    'section',
    { class: 'ways' },
    paragraph(texts.homeText),
    button(texts.scan, 'scan', openCamera, 'large'),
    el(
      'form',
      { class: 'paste', submit: openLink },
      el('label', { for: 'link' }, texts.pasteLabel),
      input,
      el('button', { type: 'submit', class: 'button secondary', 'data-testid': 'open-link' }, texts.open),
    ),
    el('p', { class: 'hint' }, texts.linkHint),
  );
};

const inbox = ({ texts, phone, blocked }: Screen, sessions: readonly PushedSession[]): readonly Node[] => {
  if (sessions.length === 0) return [];
  const items = sessions.map(({ sessionId, relyingPartyName, ...kind }) =>
    el(
      'li',
      { 'data-testid': 'inbox-item' },
      el(
        'span',
        {},
        relyingPartyName === undefined ? texts.inboxItem : sentenceNodes(inboxSentence(kind, texts), { name: foreignName(relyingPartyName) }),
      ),
      button(texts.open, 'inbox-open', () => void phone.open({ link: { sessionId }, arrival: 'INBOX' })),
      button(texts.block, 'inbox-block', () => void blocked.block(sessionId), 'secondary'),
    ),
  );
  return [
    el(
      'section',
      { class: 'inbox', 'aria-labelledby': 'inbox', 'data-testid': 'inbox' },
      el('h2', { id: 'inbox' }, texts.inboxTitle),
      el('ul', {}, ...items),
    ),
  ];
};
