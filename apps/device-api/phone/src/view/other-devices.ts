import type { OtherDevice } from '#clients/device';
import { el, foreignName, sentence, sentenceNodes } from '#web-page/browser';
import type { PhoneState } from '../flow/phone-state.js';
import { pinPad } from './pin-pad.js';
import { about, button, fault, paragraph, type Screen, title } from './screen.js';

/** A notice of each phone that was set up after this one, until the person confirms it: an activation code may have reached another person. */
export const newDevices = (screen: Screen, others: readonly OtherDevice[]): readonly HTMLElement[] => {
  const { texts, phone, date } = screen;
  const fresh = others.filter(({ isNew }) => isNew);
  if (fresh.length === 0) return [];
  return [
    el(
      'section',
      { class: 'inbox', 'data-testid': 'new-devices' },
      el('h2', {}, texts.newPhoneTitle),
      paragraph(texts.newPhoneText),
      el(
        'ul',
        {},
        ...fresh.map((device) =>
          entry(screen, device, sentenceNodes(texts.newPhone, { name: foreignName(device.name), time: date(device.enrolledAt * 1000) })),
        ),
      ),
      button(texts.newPhoneMine, 'accept-devices', () => void phone.devices.acceptNew(), 'secondary'),
    ),
  ];
};

/** The other phones of the person, folded, each with the button that removes it. */
export const otherDevices = (screen: Screen, others: readonly OtherDevice[]): readonly HTMLElement[] => {
  const known = others.filter(({ isNew }) => !isNew);
  if (known.length === 0) return [];
  return [
    el(
      'details',
      { class: 'device', 'data-testid': 'other-devices' },
      el('summary', {}, screen.texts.otherPhones),
      el('div', { class: 'history' }, el('ol', {}, ...known.map((device) => entry(screen, device, foreignName(device.name))))),
    ),
  ];
};

const entry = ({ texts, phone }: Screen, device: OtherDevice, words: Node): HTMLElement =>
  el(
    'li',
    {},
    el('span', {}, words),
    button(texts.removeYes, 'revoke', () => phone.devices.ask(device), 'secondary'),
  );

/** Which phone is removed, and the PIN. */
export const revokeScreen = (
  { texts, phone }: Screen,
  { target, attemptsLeft, unreachable }: Extract<PhoneState, { kind: 'REVOKE' }>,
): readonly Node[] => {
  const wrong = attemptsLeft === undefined ? undefined : sentence(texts.wrongPin, { count: attemptsLeft });
  const faultText = fault(unreachable ? texts.pinUnreachable : wrong);
  const cancel = button(texts.cancel, 'revoke-cancel', () => phone.home(), 'secondary');
  return [
    title(about(texts.revokeTitle, target.name)),
    paragraph(texts.revokeText),
    ...(faultText ? [faultText] : []),
    pinPad(texts, texts.removeYes, (pin) => void phone.devices.revoke(pin), [cancel]).element,
  ];
};
