import { el } from '#web-page/browser';
import type { PhoneState } from '../flow/phone-state.js';
import { pinPad } from './pin-pad.js';
import { about, button, fault, paragraph, type Screen, title } from './screen.js';

type State<Kind extends PhoneState['kind']> = Extract<PhoneState, { kind: Kind }>;

export const codeScreen = ({ texts, phone }: Screen, state: State<'ENROL_CODE'>): readonly Node[] => {
  const input = el('input', {
    id: 'code',
    class: 'field',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    value: state.code,
    required: true,
    'data-testid': 'activation-code',
  });
  const enter = (event: Event): void => {
    event.preventDefault();
    void phone.enrolment.enterCode(input.value);
  };
  const faults = { CODE_REFUSED: texts.enrolCodeRefused, UNREACHABLE: texts.unreachable, FAILED: texts.enrolFailed };
  const faultText = fault(state.fault && faults[state.fault]);
  const label = el('label', { for: 'code' }, texts.enrolCode);
  // No person reads or types the 76 characters that came with a link. They fold away until something is wrong with them.
  const byLink = state.code !== '' && state.fault === undefined;
  const code = byLink
    ? [
        el(
          'details',
          { class: 'code', 'data-testid': 'code-by-link' },
          el('summary', {}, texts.codeShow),
          el('div', { class: 'stack' }, label, input),
        ),
      ]
    : [label, input];
  return [
    title(texts.enrolTitle),
    paragraph(texts.enrolText),
    ...(byLink ? [el('p', { class: 'banner good', 'data-testid': 'code-notice' }, texts.codeByLink)] : []),
    ...(faultText ? [faultText] : []),
    el(
      'form',
      { class: 'stack', novalidate: byLink, submit: enter },
      ...code,
      el('button', { type: 'submit', class: 'button large', 'data-testid': 'next' }, texts.next),
    ),
  ];
};

/** Whose phone this becomes: a link may bring the code of any person. */
export const holderScreen = ({ texts, phone }: Screen, { holder }: State<'ENROL_HOLDER'>): readonly Node[] => [
  title(texts.holderTitle),
  paragraph(about(texts.holderText, holder), 'holder'),
  paragraph(texts.holderWarning),
  el(
    'div',
    { class: 'choice' },
    button(texts.cancel, 'not-me', () => phone.enrolment.restart(''), 'secondary'),
    button(texts.next, 'continue', () => phone.enrolment.acceptHolder()),
  ),
];

export const choosePinScreen = ({ texts, phone }: Screen, state: State<'ENROL_PIN'>): readonly Node[] => {
  const faults = { LENGTH: texts.pinLength, WEAK: texts.pinWeak, DIFFERENT: texts.pinDifferent };
  const faultText = fault(state.fault && faults[state.fault]);
  const pad = pinPad(texts, texts.next, (pin) => phone.enrolment.choosePin(pin));
  return [title(texts.pinChooseTitle), paragraph(texts.pinChooseText), ...(faultText ? [faultText] : []), pad.element];
};

export const repeatPinScreen = ({ texts, phone }: Screen): readonly Node[] => [
  title(texts.pinAgainTitle),
  paragraph(texts.pinAgainText),
  pinPad(texts, texts.next, (pin) => void phone.enrolment.repeatPin(pin)).element,
];
