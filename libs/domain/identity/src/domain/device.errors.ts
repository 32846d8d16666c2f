import { DomainError, domainError, type SessionId } from '#kernel';

export class DeviceNotFound extends domainError('device_not_found') {}

export class DeviceLocked extends DomainError {
  readonly code = 'device_locked';

  constructor(
    /** Epoch milliseconds. Undefined: until the phone is enrolled again. */
    readonly lockedUntil?: number,
    /** The session whose wrong PINs locked the device. */
    readonly sessionId?: SessionId,
  ) {
    super(lockedUntil === undefined ? 'locked until it is enrolled again' : `locked until ${new Date(lockedUntil).toISOString()}`);
  }
}

export class WrongPin extends DomainError {
  readonly code = 'wrong_pin';

  constructor(readonly attemptsLeft: number) {
    super('wrong PIN', undefined, { attemptsLeft });
  }
}
