import type { Clock, Randomness } from '#kernel';

import type { DerNode } from '../der/der.js';
import { type Egress, exchange } from '../http/exchange.js';
import { BODY, type CmpMessage, encodeHeader, encodeMessage, encodeProtectedPart, MAX_CMP_BYTES, readMessage } from './cmp-message.js';
import { BadProtection, type CmpProtection } from './cmp-protection.js';

export interface CmpPeer {
  readonly url: string;
  /** DER Name of the authority. */
  readonly recipient: Buffer;
  readonly protection: CmpProtection;
  readonly egress?: Egress | undefined;
  /** Milliseconds a call. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

const TYPE = 'application/pkixcmp';

/**
 * Messages that belong together: one transaction id, and each message with the nonce of the one before (RFC 4210 §5.1.1). The answer that ends the polling
 * may have the nonce of the first message in its place, since an authority makes it for that message (RFC 9483 §4.4).
 */
export class CmpTransaction {
  private readonly id: Buffer;
  private first: Buffer | undefined;
  private answered: Buffer | undefined;

  constructor(private readonly peer: CmpPeer) {
    this.id = peer.randomness.bytes(16);
  }

  /** The answer to a message, its protection verified. Throws ExchangeFailed, {@link BadProtection}, MalformedDer. */
  async ask(type: number, body: DerNode, generalInfo: readonly DerNode[] = []): Promise<CmpMessage> {
    const { url, recipient, protection, egress, timeout, clock, randomness } = this.peer;
    const senderNonce = randomness.bytes(16);
    this.first ??= senderNonce;
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
    const answer = readMessage(await exchange({ url, body: message, contentType: TYPE, accept: TYPE, limit: MAX_CMP_BYTES, egress, timeout }));
    protection.verify(answer, clock.now());
    if (!answer.transactionId?.equals(this.id)) throw new BadProtection('the answer belongs to another transaction');
    const endsPolling = type === BODY.pollReq && answer.type !== BODY.pollRep;
    const nonces = endsPolling ? [senderNonce, this.first] : [senderNonce];
    if (!nonces.some((nonce) => answer.recipientNonce?.equals(nonce)))
      throw new BadProtection('the answer is to another message: its nonce is another one');
    this.answered = answer.senderNonce;
    return answer;
  }
}
