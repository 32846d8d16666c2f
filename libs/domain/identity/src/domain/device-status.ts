import type { Device, DeviceState } from './device.js';
import { isLocked } from './pin-ladder.js';

/**
 * Whether the device will never approve anything again: it was revoked, its person erased, or wrong PINs have locked it until the person enrols a phone anew. Final, so that
 * a decision on it needs no clock.
 */
export const isGone = ({ status, lockedUntil }: Pick<Device, 'status' | 'lockedUntil'>): boolean =>
  status === 'REVOKED' || (status === 'LOCKED' && lockedUntil === undefined);

/** The status at `now` (epoch milliseconds) of a device that its identity lists. */
export const deviceStatus = (device: DeviceState, now: number): Pick<Device, 'status' | 'lockedUntil' | 'lockedBy'> => {
  if (device.status !== 'ENROLLED') return { status: 'REVOKED' };
  const { lock } = device.pin;
  if (!lock || !isLocked(device.pin, now)) return { status: 'ACTIVE' };
  return { status: 'LOCKED', lockedBy: lock.sessionId, ...(lock.until !== undefined && { lockedUntil: lock.until }) };
};
