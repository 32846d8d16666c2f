import type { Streams, UnitOfWork } from '#engines/event-store';
import type { DeviceId, SessionId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import { attemptsLeft } from '../domain/pin-ladder.js';
import type { Devices } from '../repositories/devices.js';
import { checkPinProof, type PinProofs } from '../domain/pin-proofs.js';

export interface PinTry {
  readonly deviceId: DeviceId;
  readonly sessionId: SessionId;
  /** base64url of HMAC-SHA-256(the phone's pin key, PIN). */
  readonly pinProof: string;
}

/** `locked`: this check locked the device; its session has to be cancelled. */
export type PinVerdict = { readonly accepted: true } | { readonly accepted: false; readonly attemptsLeft: number; readonly locked: boolean };

/** Checks a PIN by one append at the exact revision of the device's stream (specification/app.md#pin-attempts-and-locks). */
export class CheckPin {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly devices: Devices,
    private readonly proofs: PinProofs,
  ) {}

  /**
   * Stores the verdict before it answers it. Throws {@link DeviceLocked}, which names the session that caused the
   * lock, {@link DeviceNotFound} for a revoked device, {@link InvalidRequest}.
   */
  execute(pinTry: PinTry): Promise<PinVerdict> {
    return this.unitOfWork.run((streams) => this.in(streams, pinTry));
  }

  /** The same within a work. The verdict is stored with the work, which therefore must not throw after a wrong PIN. */
  async in(streams: Streams, { deviceId, sessionId, pinProof }: PinTry): Promise<PinVerdict> {
    checkPinProof(pinProof);
    const device = await this.devices.in(streams, deviceId);
    if (device.state.status !== 'ENROLLED') throw new DeviceNotFound(`device is ${device.state.status}`);
    const right = this.proofs.matches(deviceId, pinProof, device.state.pin.proof);
    // A wrong PIN costs a try, so nothing that the work has met may be old.
    if (!right) streams.onReads();
    device.decide({ type: 'CheckPin', now: this.unitOfWork.clock.now(), sessionId, right, proof: this.proofs.seal(deviceId, pinProof) });
    if (right) return { accepted: true };
    const { pin } = device.state;
    return { accepted: false, attemptsLeft: attemptsLeft(pin, sessionId), locked: pin.lock !== undefined };
  }
}
