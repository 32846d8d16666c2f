import { el } from '#web-page/browser';
import { PIN_MAX, PIN_MIN } from '../flow/pin.js';
import type { Messages } from '../messages/messages.js';

export interface PinPad {
  readonly element: HTMLElement;
  /** The field that takes the digits. */
  readonly input: HTMLInputElement;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/**
 * A field for a PIN with keys of its own. The field is a real one, so a keyboard and a screen reader need nothing special;
 * `inputmode="none"` hides a phone's own keyboard.
 */
export const pinPad = (texts: Messages, submitText: string, onPin: (pin: string) => void, before: readonly Node[] = []): PinPad => {
  const input = el('input', {
    type: 'password',
    inputmode: 'none',
    autocomplete: 'off',
    maxlength: PIN_MAX,
    'aria-label': texts.pin,
    class: 'pin-field',
    'data-testid': 'pin',
  });
  const submit = el('button', { type: 'submit', class: 'button', 'data-testid': 'pin-submit' }, submitText);
  const refresh = (): void => {
    input.value = input.value.replace(/\D/g, '');
    submit.setAttribute('aria-disabled', String(input.value.length < PIN_MIN));
  };
  const press = (digit: string): void => {
    if (input.value.length < PIN_MAX) input.value += digit;
    refresh();
  };
  const key = (digit: string): HTMLElement =>
    el('button', { type: 'button', class: 'key', 'data-testid': `digit-${digit}`, click: () => press(digit) }, digit);
  const erase = (): void => {
    input.value = input.value.slice(0, -1);
    refresh();
  };
  const deleteKey = el(
    'button',
    { type: 'button', class: 'key plain', 'aria-label': texts.deleteDigit, 'data-testid': 'digit-delete', click: erase },
    '⌫',
  );
  input.addEventListener('input', refresh);
  refresh();

  const keys = el('div', { class: 'keys', role: 'group', 'aria-label': texts.pinPad }, ...KEYS.map(key), el('span', {}), key('0'), deleteKey);
  const send = (event: Event): void => {
    event.preventDefault();
    if (input.value.length < PIN_MIN) return input.focus();
    const pin = input.value;
    input.value = '';
    onPin(pin);
  };
  const element = el('form', { class: 'pin-pad', autocomplete: 'off', submit: send }, input, keys, el('div', { class: 'choice' }, ...before, submit));
  return { element, input };
};
