import { type Notary, type Phone, secret, type Signing, word } from '../conformance/support/index.js';

/** How far a signing got before the service was gone. */
export interface SigningAttempt {
  readonly notary: Notary;
  readonly phone: Phone;
  readonly name: string;
  signing?: Signing;
  /** The phone asked for the confirmation: answered yes, or nothing. */
  confirmation?: 'ok' | 'unknown';
  /** The status COMPLETED was seen: from then on it is a promise. */
  completed?: true;
  /** The container as a client got it: base64. */
  container?: string;
}

/** Signs one document after the other until nobody answers; writes down what was answered. */
export const signUntilGone = async (notary: Notary, phone: Phone, attempts: SigningAttempt[]): Promise<void> => {
  for (;;) {
    const attempt: SigningAttempt = { notary, phone, name: `${secret('title', word())}.txt` };
    attempts.push(attempt);
    try {
      await sign(attempt);
    } catch {
      return;
    }
  }
};

/** Throws when an answer does not come. */
const sign = async (attempt: SigningAttempt): Promise<void> => {
  const { notary, phone, name } = attempt;
  attempt.signing = await notary.scanned(phone, { signed_data_name: name });
  attempt.confirmation = 'unknown';
  const answer = await phone.confirm(attempt.signing.sessionId);
  if (answer.status !== 200) throw new Error(`confirm: ${answer.status}`);
  attempt.confirmation = 'ok';
  if ((await notary.settled(attempt.signing)) !== 'COMPLETED') return;
  attempt.completed = true;
  const result = await notary.client.result(attempt.signing);
  if (result.status !== 200) throw new Error(`result: ${result.status}`);
  attempt.container = result.json!['container'] as string;
};
