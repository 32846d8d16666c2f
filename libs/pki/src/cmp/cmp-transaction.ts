import type { Clock, Randomness } from '#kernel';

import type { DerNode } from '../der/der.js';
import { exchange } from '../http/exchange.js';
import { type CmpMessage, encodeHeader, encodeMessage, encodeProtectedPart, MAX_CMP_BYTES, readMessage } from './cmp-message.js';
import { BadProtection, type CmpProtection } from './cmp-protection.js';

export interface CmpPeer {
  readonly url: string;
  /** DER Name of the authority. */
  readonly recipient: Buffer;
  readonly protection: CmpProtection;
  /** Milliseconds a call. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

const TYPE = 'application/pkixcmp';

/** Messages that belong together: one transaction id, and each message with the nonce of the one before (RFC 4210 §5.1.1). */
export class CmpTransaction {
  private readonly id: Buffer;
  private answered: Buffer | undefined;

  constructor(private readonly peer: CmpPeer) {
    this.id = peer.randomness.bytes(16);
  }

  /** The answer to a message, its protection verified. Throws ExchangeFailed, {@link BadProtection}, MalformedDer. */
  async ask(type: number, body: DerNode, generalInfo: readonly DerNode[] = []): Promise<CmpMessage> {
    const { url, recipient, protection, timeout, clock, randomness } = this.peer;
    const senderNonce = randomness.bytes(16);
    const header = encodeHeader({
      sender: protection.sender,
      recipient,
      messageTime: clock.now(),
      protectionAlgorithm: protection.algorithm,
      senderKid: protection.senderKid,
      transactionId: this.id,
      senderNonce,
      recipientNonce: this.answered,
      generalInfo,
    });
    const part = encodeProtectedPart(header, type, body);
    const message = encodeMessage(part, protection.protect(part), protection.extraCertificates);
    const answer = readMessage(await exchange({ url, body: message, contentType: TYPE, accept: TYPE, limit: MAX_CMP_BYTES, timeout }));
    protection.verify(answer, clock.now());
    if (!answer.transactionId?.equals(this.id)) throw new BadProtection('the answer belongs to another transaction');
    if (!answer.recipientNonce?.equals(senderNonce)) throw new BadProtection('the answer is to another message: its nonce is another one');
    this.answered = answer.senderNonce;
    return answer;
  }
}
