import type { DeviceId } from '#kernel';

import type { Device, DeviceState } from './device.js';
import type { Identity } from './identity.js';
import { isLocked } from './pin-ladder.js';

/**
 * Whether the device will never approve anything again: it was revoked, its person erased, or wrong PINs have locked it until the person enrols a phone anew. Final, so that
 * a decision on it needs no clock.
 */
export const isGone = ({ status, lockedUntil }: Pick<Device, 'status' | 'lockedUntil'>): boolean =>
  status === 'REVOKED' || (status === 'LOCKED' && lockedUntil === undefined);

export type DevicePresence = Pick<Device, 'status' | 'lockedUntil' | 'lockedBy'>;

/** The status at `now` of a device of the person: one that the person does not list is revoked. */
export const statusIn = (identity: Identity, deviceId: DeviceId, device: DeviceState, now: number): DevicePresence => {
  const isListed = identity.status === 'REGISTERED' && identity.devices.includes(deviceId);
  return isListed ? deviceStatus(device, now) : { status: 'REVOKED' };
};

/** The status at `now` (epoch milliseconds) of a device that its identity lists. */
export const deviceStatus = (device: DeviceState, now: number): DevicePresence => {
  if (device.status !== 'ENROLLED') return { status: 'REVOKED' };
  const { lock } = device.pin;
  if (!lock || !isLocked(device.pin, now)) return { status: 'ACTIVE' };
  return { status: 'LOCKED', lockedBy: lock.sessionId, ...(lock.until !== undefined && { lockedUntil: lock.until }) };
};
