import { constantTimeEqual, hmac, type Secret } from '#kernel';

const DIGITS = 6;

/**
 * The number by which a hosted login is finished in the browser that began it (specification/login-ui.md#finishing-by-a-number). It is derived by a key from
 * the event that confirmed the login, and never stored, so a reader of the store learns no number.
 */
export class FinishNumbers {
  constructor(
    /** Does not rotate while a number lives. */
    private readonly key: Secret<Buffer>,
  ) {}

  /** Six digits. `confirmedEventId`: of SessionConfirmed. */
  shown(confirmedEventId: string): string {
    const drawn = hmac(this.key.reveal(), 'finish-number', confirmedEventId).readUIntBE(0, 6);
    return String(drawn % 10 ** DIGITS).padStart(DIGITS, '0');
  }

  /** Takes the same time for every number. */
  isShown(confirmedEventId: string, number: string): boolean {
    return constantTimeEqual(Buffer.from(number), Buffer.from(this.shown(confirmedEventId)));
  }
}

/** Whether a text could be a number: six digits of ASCII. */
export const isFinishNumber = (text: unknown): text is string => typeof text === 'string' && /^[0-9]{6}$/.test(text);
