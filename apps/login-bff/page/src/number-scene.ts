import { el } from '#web-page/browser';
import { picture } from './end-picture.js';
import type { Messages } from './messages/messages.js';

/** Asks for the number that the phone shows. A text of another form is not sent, since there is one try. */
export const numberScene = (texts: Messages, enter: (number: string) => void): readonly Node[] => {
  const input = el('input', {
    id: 'number',
    class: 'number',
    inputmode: 'numeric',
    autocomplete: 'off',
    required: true,
    'aria-describedby': 'number-fault',
    'data-testid': 'number',
  });
  const fault = el('p', { id: 'number-fault', role: 'alert', 'data-testid': 'number-fault' });
  const send = (event: Event): void => {
    event.preventDefault();
    const number = input.value.replace(/\s/g, '');
    if (/^[0-9]{6}$/.test(number)) return enter(number);
    fault.textContent = texts.numberForm;
    input.focus();
  };
  return [
    el('div', { class: 'emblem' }, picture('PHONE')),
    el('p', { class: 'status', 'data-testid': 'status' }, texts.numberLead),
    el('p', { class: 'detail' }, texts.numberDetail),
    el(
      'form',
      { class: 'number-form', novalidate: true, submit: send },
      el('label', { for: 'number' }, texts.numberLabel),
      input,
      fault,
      el('button', { type: 'submit', class: 'button', 'data-testid': 'send-number' }, texts.numberSend),
    ),
  ];
};
