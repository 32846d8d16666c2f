import type { Clock, DeviceId, SessionId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import { attemptsLeft } from '../domain/pin-ladder.js';
import type { Devices } from './devices.js';
import { checkPinProof, type PinProofs } from './pin-proofs.js';
import { deviceStream } from './streams.js';

export interface PinTry {
  readonly deviceId: DeviceId;
  readonly sessionId: SessionId;
  /** base64url of HMAC-SHA-256(the phone's pin key, PIN). */
  readonly pinProof: string;
}

/** `locked`: this try locked the device, and its session is to be cancelled. */
export type PinVerdict = { readonly accepted: true } | { readonly accepted: false; readonly attemptsLeft: number; readonly locked: boolean };

/** Judges a PIN by one append at the exact revision of the device's stream (api-extensions section 4). */
export class CheckPin {
  constructor(
    private readonly devices: Devices,
    private readonly proofs: PinProofs,
    private readonly clock: Clock,
  ) {}

  /**
   * The verdict is stored before it is answered. Throws {@link DeviceLocked}, which names the session that caused the
   * lock, {@link DeviceNotFound} for a revoked device, {@link InvalidRequest}.
   */
  async execute({ deviceId, sessionId, pinProof }: PinTry): Promise<PinVerdict> {
    checkPinProof(pinProof);
    const proof = this.proofs.keep(deviceId, pinProof);
    const { state, events } = await this.devices.handle(deviceStream(deviceId), (device) => {
      if (device.status !== 'ENROLLED') throw new DeviceNotFound(`device is ${device.status}`);
      const right = this.proofs.matches(deviceId, pinProof, device.pin.proof);
      return { type: 'CheckPin', now: this.clock.now(), sessionId, right, proof };
    });
    if (events.at(-1)?.type === 'PinAccepted' || state.status !== 'ENROLLED') return { accepted: true };
    return { accepted: false, attemptsLeft: attemptsLeft(state.pin, sessionId), locked: state.pin.lock !== undefined };
  }
}
