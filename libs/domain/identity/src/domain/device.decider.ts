import { assertNever, type Decider } from '#kernel';

import type { DeviceCommand } from './device.commands.js';
import { DeviceLocked, DeviceNotFound } from './device.errors.js';
import { type DeviceEvent, DEVICE_EVENTS } from './device.events.js';
import type { DeviceState } from './device.js';
import { afterRightPin, afterWrongPin, isLocked } from './pin-ladder.js';

type Command<Type extends DeviceCommand['type']> = Extract<DeviceCommand, { type: Type }>;

const enrol = ({ enrolment }: Command<'EnrolDevice'>, device: DeviceState): DeviceEvent[] =>
  device.status === 'NONE' ? [{ type: 'DeviceEnrolled', data: enrolment }] : [];

/** Every check appends an event, whether the PIN was right or wrong, so that simultaneous guesses are counted one by one. */
const checkPin = ({ now, sessionId, right, proof }: Command<'CheckPin'>, device: DeviceState): DeviceEvent[] => {
  if (device.status !== 'ENROLLED') throw new DeviceNotFound(`device is ${device.status}`);
  if (isLocked(device.pin, now)) throw new DeviceLocked(device.pin.lock?.until, device.pin.lock?.sessionId);
  if (right) return [{ type: 'PinAccepted', data: { at: now, sessionId, pin: afterRightPin(device.pin, proof, now) } }];
  const pin = afterWrongPin(device.pin, sessionId, now);
  const failed: DeviceEvent = { type: 'PinFailed', data: { at: now, sessionId, pin } };
  return pin.lock ? [failed, { type: 'DeviceLocked', data: { at: now, sessionId, pin } }] : [failed];
};

const revoke = ({ now, by }: Command<'RevokeDevice'>, device: DeviceState): DeviceEvent[] => {
  if (device.status === 'NONE') throw new DeviceNotFound('no such device');
  return device.status === 'REVOKED' ? [] : [{ type: 'DeviceRevoked', data: { at: now, ...(by && { by }) } }];
};

export const deviceDecider: Decider<DeviceState, DeviceCommand, DeviceEvent> = {
  initial: { status: 'NONE' },
  knows: DEVICE_EVENTS,

  decide(command, device) {
    switch (command.type) {
      case 'EnrolDevice':
        return enrol(command, device);
      case 'CheckPin':
        return checkPin(command, device);
      case 'RevokeDevice':
        return revoke(command, device);
      default:
        return assertNever(command);
    }
  },

  evolve(_, event) {
    switch (event.type) {
      case 'DeviceEnrolled':
      case 'PinAccepted':
      case 'PinFailed':
      case 'DeviceLocked':
      case 'DeviceCompacted':
        return { status: 'ENROLLED', pin: event.data.pin };
      case 'DeviceRevoked':
        return { status: 'REVOKED' };
      default:
        return assertNever(event);
    }
  },
};
