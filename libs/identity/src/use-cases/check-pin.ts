import type { StreamAppend } from '#event-store';
import type { Clock, DeviceId, SessionId } from '#kernel';

import { DeviceNotFound } from '../domain/device.errors.js';
import type { DeviceState } from '../domain/device.js';
import { attemptsLeft } from '../domain/pin-ladder.js';
import type { Devices, LoadedDevice } from '../repositories/devices.js';
import { checkPinProof, type PinProofs } from '../domain/pin-proofs.js';
import { deviceStream } from '../repositories/streams.js';

export interface PinTry {
  readonly deviceId: DeviceId;
  readonly sessionId: SessionId;
  /** base64url of HMAC-SHA-256(the phone's pin key, PIN). */
  readonly pinProof: string;
  /** The device as the request has read it already. */
  readonly asRead?: LoadedDevice | undefined;
}

/** `locked`: this check locked the device; its session has to be cancelled. */
export type PinVerdict = { readonly accepted: true } | { readonly accepted: false; readonly attemptsLeft: number; readonly locked: boolean };

/** Checks a PIN by one append at the exact revision of the device's stream (specification/app.md#pin-attempts-and-locks). */
export class CheckPin {
  constructor(
    private readonly devices: Devices,
    private readonly proofs: PinProofs,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the verdict before it answers it. Throws {@link DeviceLocked}, which names the session that caused the
   * lock, {@link DeviceNotFound} for a revoked device, {@link InvalidRequest}.
   */
  async execute(pinTry: PinTry): Promise<PinVerdict> {
    const { deviceId, sessionId, asRead } = pinTry;
    const { state, events } = await this.devices.handle(deviceStream(deviceId), this.#command(pinTry), asRead);
    if (events.at(-1)?.type === 'PinAccepted' || state.status !== 'ENROLLED') return { accepted: true };
    return { accepted: false, attemptsLeft: attemptsLeft(state.pin, sessionId), locked: state.pin.lock !== undefined };
  }

  /**
   * The append of a right PIN, judged on the device as read: it takes effect with {@link EventStore.appendTogether}. Undefined for a wrong PIN, and wherever
   * {@link execute} has to decide. Throws {@link InvalidRequest}.
   */
  propose(pinTry: PinTry): StreamAppend | undefined {
    const { deviceId, asRead } = pinTry;
    const append = asRead && this.devices.propose(deviceStream(deviceId), this.#command(pinTry), asRead);
    return append?.events.every(({ type }) => type === 'PinAccepted') ? append : undefined;
  }

  #command({ deviceId, sessionId, pinProof }: PinTry) {
    checkPinProof(pinProof);
    const proof = this.proofs.seal(deviceId, pinProof);
    return (device: DeviceState) => {
      if (device.status !== 'ENROLLED') throw new DeviceNotFound(`device is ${device.status}`);
      const right = this.proofs.matches(deviceId, pinProof, device.pin.proof);
      return { type: 'CheckPin', now: this.clock.now(), sessionId, right, proof } as const;
    };
  }
}
