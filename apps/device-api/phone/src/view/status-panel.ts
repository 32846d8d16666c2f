import { certificateHolder, fromBase64 } from '#clients/device';
import { el, foreignName, sentence } from '#web-page/browser';
import type { DeviceCheck } from '../flow/device-watch.js';
import type { PhoneState } from '../flow/phone-state.js';
import type { Messages } from '../messages/messages.js';
import { paragraph, type Screen, skeleton, title } from './screen.js';

type Home = Extract<PhoneState, { kind: 'HOME' }>;

const TITLES: Readonly<Record<DeviceCheck['kind'], keyof Messages>> = {
  CHECKING: 'homeChecking',
  READY: 'homeReady',
  LOCKED: 'lockedTitle',
  OFFLINE: 'homeOffline',
};

/** The device's owner, its lock, and the PIN attempts left, in one place. */
export const statusPanel = (screen: Screen, state: Home): readonly Node[] => {
  const { texts } = screen;
  const { check, device, memory } = state;
  const holder = certificateHolder(fromBase64(device.signingCertificate ?? '') ?? new Uint8Array(0));
  const rows: readonly (readonly [string, Node | string, string])[] = [
    ...(holder === undefined ? [] : [[texts.deviceHolder, foreignName(holder), 'device-holder'] as const]),
    [texts.devicePin, check.kind === 'CHECKING' ? skeleton(1) : pinText(texts, check, memory.pinAttemptsLeft), 'device-pin'],
  ];
  return [
    el(
      'div',
      { class: `state ${check.kind.toLowerCase()}`, 'data-testid': 'device-status' },
      el('span', { class: 'light', 'aria-hidden': 'true' }),
      title(texts[TITLES[check.kind]]),
    ),
    ...explanation(screen, check),
    ...(screen.pushes.areMissing ? [paragraph(texts.notNotified, 'not-notified')] : []),
    el('dl', { class: 'facts' }, ...rows.flatMap(([name, value, testid]) => [el('dt', {}, name), el('dd', { 'data-testid': testid }, value)])),
  ];
};

const explanation = ({ texts, date }: Screen, check: DeviceCheck): readonly Node[] => {
  if (check.kind === 'OFFLINE') return [paragraph(texts.homeOfflineText)];
  if (check.kind !== 'LOCKED') return [];
  if (check.until === undefined) return [paragraph(texts.lockedForGood, 'locked-until')];
  return [paragraph(sentence(texts.lockedUntil, { time: date(check.until * 1000) }), 'locked-until')];
};

const pinText = (texts: Messages, check: DeviceCheck, attemptsLeft: number | undefined): string => {
  if (check.kind === 'LOCKED') return texts.pinBlocked;
  return attemptsLeft === undefined || attemptsLeft === 0 ? texts.pinReady : sentence(texts.pinLeft, { count: attemptsLeft });
};
