import type { DeviceRecord } from '#clients/device';
import { el } from '#web-page/browser';
import { button, paragraph, type Screen } from './screen.js';

/** The details of this device, folded, with the button that removes it from this browser. */
export const devicePanel = (screen: Screen, device: DeviceRecord): HTMLElement => {
  const { texts, date } = screen;
  const dialog = removalDialog(screen);
  return el(
    'details',
    { class: 'device', 'data-testid': 'device' },
    el('summary', {}, texts.deviceTitle),
    el(
      'dl',
      {},
      el('dt', {}, texts.deviceName),
      el('dd', {}, device.name),
      el('dt', {}, texts.deviceSince),
      el('dd', {}, date(device.enrolledAt, 'DAY')),
      el('dt', {}, texts.deviceId),
      el('dd', { class: 'number', 'data-testid': 'device-id' }, device.deviceId),
    ),
    ...notifyButton(screen),
    button(texts.remove, 'remove', () => dialog.showModal(), 'secondary'),
    dialog,
  );
};

/** Only where the person may still be asked: browsers ask once. */
const notifyButton = ({ texts, phone, pushes, redraw }: Screen): readonly HTMLElement[] => {
  const { prover } = phone;
  if (!pushes.mayAsk || prover === undefined) return [];
  return [button(texts.notify, 'notify', () => void pushes.allow(prover).then(redraw), 'secondary')];
};

const removalDialog = ({ texts, phone }: Screen): HTMLDialogElement => {
  const dialog = el(
    'dialog',
    { 'aria-labelledby': 'remove-title', 'data-testid': 'remove-dialog' },
    el('h2', { id: 'remove-title' }, texts.removeTitle),
    paragraph(texts.removeText),
    el(
      'div',
      { class: 'choice' },
      button(texts.cancel, 'remove-cancel', () => dialog.close(), 'secondary'),
      button(texts.removeYes, 'remove-confirm', () => void phone.forget(), 'danger'),
    ),
  );
  return dialog;
};
