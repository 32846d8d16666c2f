import { el } from '#web-page/browser';
import type { PhoneState } from '../flow/phone-state.js';
import { pinPad } from './pin-pad.js';
import { fault, paragraph, type Screen, title } from './screen.js';

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
    phone.enterCode(input.value);
  };
  const faults = { CODE_REFUSED: texts.enrolCodeRefused, UNREACHABLE: texts.unreachable, FAILED: texts.enrolFailed };
  const faultText = fault(state.fault && faults[state.fault]);
  return [
    title(texts.enrolTitle),
    paragraph(texts.enrolText),
    ...(faultText ? [faultText] : []),
    el(
      'form',
      { class: 'stack', submit: enter },
      el('label', { for: 'code' }, texts.enrolCode),
      input,
      el('button', { type: 'submit', class: 'button', 'data-testid': 'next' }, texts.next),
    ),
  ];
};

export const choosePinScreen = ({ texts, phone }: Screen, state: State<'ENROL_PIN'>): readonly Node[] => {
  const faults = { LENGTH: texts.pinLength, WEAK: texts.pinWeak, DIFFERENT: texts.pinDifferent };
  const faultText = fault(state.fault && faults[state.fault]);
  const pad = pinPad(texts, texts.next, (pin) => phone.choosePin(pin));
  return [title(texts.pinChooseTitle), paragraph(texts.pinChooseText), ...(faultText ? [faultText] : []), pad.element];
};

export const repeatPinScreen = ({ texts, phone }: Screen): readonly Node[] => [
  title(texts.pinAgainTitle),
  paragraph(texts.pinAgainText),
  pinPad(texts, texts.next, (pin) => void phone.repeatPin(pin)).element,
];
