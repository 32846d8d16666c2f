import { el, sentence } from '#web-page/browser';
import type { DeviceStatus } from '../api/phone-api.js';
import type { DeviceRecord } from '../flow/device-record.js';
import { button, paragraph, type Screen } from './screen.js';

/** The details of this device, folded, with the button that removes it from this browser. */
export const devicePanel = (screen: Screen, device: DeviceRecord): HTMLElement => {
  const { texts, date } = screen;
  const state = el('dd', { 'data-testid': 'device-status' }, '…');
  const ask = async (): Promise<void> => {
    if (panel.open) state.textContent = statusText(screen, await screen.deviceStatus());
  };
  const dialog = removalDialog(screen);
  const panel = el(
    'details',
    { class: 'device', 'data-testid': 'device', toggle: () => void ask() },
    el('summary', {}, texts.deviceTitle),
    el(
      'dl',
      {},
      el('dt', {}, texts.deviceName),
      el('dd', {}, device.name),
      el('dt', {}, texts.deviceStatus),
      state,
      el('dt', {}, texts.deviceSince),
      el('dd', {}, date(device.enrolledAt, 'DAY')),
      el('dt', {}, texts.deviceId),
      el('dd', { class: 'number', 'data-testid': 'device-id' }, device.deviceId),
    ),
    button(texts.remove, 'remove', () => dialog.showModal(), 'secondary'),
    dialog,
  );
  return panel;
};

const removalDialog = ({ texts, phone }: Screen): HTMLDialogElement => {
  const dialog = el(
    'dialog',
    { 'aria-labelledby': 'remove-title' },
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

const statusText = ({ texts, date }: Screen, status: DeviceStatus | undefined): string => {
  if (status?.status === 'ACTIVE') return texts.statusActive;
  if (status?.status !== 'LOCKED') return texts.statusUnknown;
  if (status.lockedUntil === undefined) return `${texts.statusLocked}. ${texts.lockedForGood}`;
  return `${texts.statusLocked}. ${sentence(texts.lockedUntil, { time: date(status.lockedUntil * 1000) })}`;
};
