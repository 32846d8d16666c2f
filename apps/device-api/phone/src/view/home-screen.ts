import { el } from '#web-page/browser';
import type { Notice, PhoneState } from '../flow/phone-state.js';
import type { Messages } from '../messages/messages.js';
import { cameraScreen } from './camera-screen.js';
import { devicePanel } from './device-panel.js';
import { button, paragraph, type Screen, title } from './screen.js';

type Home = Extract<PhoneState, { kind: 'HOME' }>;

const NOTICES: Readonly<Record<Notice, keyof Messages>> = {
  UNREADABLE: 'unreadable',
  ALREADY_SET_UP: 'alreadySetUp',
  WELCOME: 'welcome',
};

export const homeScreen = (screen: Screen, state: Home, show: (make: () => readonly Node[]) => void): readonly Node[] => {
  const { texts, phone } = screen;
  const notice = state.notice && texts[NOTICES[state.notice]];
  const tone = state.notice === 'WELCOME' ? 'good' : '';
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
  return [
    title(texts.homeTitle),
    paragraph(texts.homeText),
    ...(notice === undefined ? [] : [el('p', { class: `banner ${tone}`, role: 'status', 'data-testid': 'notice' }, notice)]),
    ...inbox(screen, state),
    button(texts.scan, 'scan', openCamera, 'large'),
    el(
      'form',
      { class: 'paste', submit: openLink },
      el('label', { for: 'link' }, texts.pasteLabel),
      input,
      el('button', { type: 'submit', class: 'button secondary', 'data-testid': 'open-link' }, texts.open),
    ),
    devicePanel(screen, state.device),
  ];
};

const inbox = ({ texts, phone }: Screen, { inbox: sessions }: Home): readonly Node[] => {
  if (sessions.length === 0) return [];
  const items = sessions.map(({ sessionId }) =>
    el(
      'li',
      {},
      el('span', {}, texts.inboxItem),
      button(texts.open, 'inbox-open', () => void phone.open({ sessionId })),
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
