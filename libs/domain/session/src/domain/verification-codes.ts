import { constantTimeEqual, hmac, type Secret, type SessionId } from '#kernel';

const CHOICES = 3;

/**
 * Two digits that the waiting page shows, and the choices of the phone (specification/login-ui.md#verification-code). They are derived from a key
 * and never stored, so a reader of the store learns no code.
 */
export class VerificationCodes {
  constructor(
    /** Does not rotate: the code of a session must stay the same. */
    private readonly key: Secret<Buffer>,
  ) {}

  /** The code that the waiting page shows. */
  shown(sessionId: SessionId): string {
    return this.#drawn(sessionId)[0];
  }

  /** The choices of the phone, each once. Their order tells nothing: they ascend. */
  choices(sessionId: SessionId): readonly string[] {
    return [...this.#drawn(sessionId)].sort();
  }

  isShown(sessionId: SessionId, choice: string): boolean {
    return constantTimeEqual(Buffer.from(choice), Buffer.from(this.shown(sessionId)));
  }

  /** Different numbers of two digits, drawn from the key. The first one is right. */
  #drawn(sessionId: SessionId): readonly [string, ...string[]] {
    const bytes = hmac(this.key.reveal(), 'verification-code', sessionId);
    const numbers = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
    const drawn = Array.from({ length: CHOICES }, (_, draw) => numbers.splice(bytes.readUInt32BE(4 * draw) % numbers.length, 1)[0] ?? '');
    return drawn as [string, ...string[]];
  }
}
