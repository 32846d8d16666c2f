import type { Device, DeviceState } from '../domain/device.js';
import { isLocked } from '../domain/pin-ladder.js';

/** How a device that its identity lists stands at that time (epoch milliseconds). */
export const deviceStatus = (device: DeviceState, now: number): Pick<Device, 'status' | 'lockedUntil' | 'lockedBy'> => {
  if (device.status !== 'ENROLLED') return { status: 'REVOKED' };
  const { lock } = device.pin;
  if (!lock || !isLocked(device.pin, now)) return { status: 'ACTIVE' };
  return { status: 'LOCKED', lockedBy: lock.sessionId, ...(lock.until !== undefined && { lockedUntil: lock.until }) };
};
